/**
 * A pod's bid.
 *
 *   floor    mbcas.io/min-cpu, else 100m or a lower mbcas.io/max-cpu; at least 10m a container
 *   need     demand and 15 % head-room
 *   ceiling  mbcas.io/max-cpu, else all that is sold; never below the floor
 *   weight   (1 + priority / 10000, within 0.1 and 10) x mbcas.io/priority-multiplier
 *
 *   demand  priority  annotations                  floor  need   ceiling  weight
 *   0.4     0                                      100m   460m   sold     1
 *   0.4     10000     priority-multiplier 2        100m   460m   sold     4
 *   0.4     -50000    min-cpu 500m, max-cpu 400m   500m   460m   500m     0.1
 */
import type { Bid } from '../market/bid.ts'
import type { Millicores } from '../units.ts'
import { SMALLEST_LIMIT } from './container-shares.ts'
import { millicoresUp, type NodePod } from './pod.ts'

const DEFAULT_FLOOR = 100
const HEADROOM_RATIO = 0.15

export function bidOf(pod: NodePod, sold: Millicores): Bid<Millicores> {
  const { maxCpu = sold, priorityMultiplier } = pod.wishes
  const { minCpu = Math.min(DEFAULT_FLOOR, pod.wishes.maxCpu ?? DEFAULT_FLOOR) } = pod.wishes
  const demand = pod.containers.reduce((sum, { demandCores = 0 }) => sum + demandCores, 0)
  const floor = Math.max(minCpu, SMALLEST_LIMIT * pod.containers.length) as Millicores
  return {
    id: pod.uid,
    floor,
    need: millicoresUp(demand * (1 + HEADROOM_RATIO)),
    ceiling: Math.max(floor, maxCpu) as Millicores,
    weight: weightOf(pod.priority) * priorityMultiplier,
  }
}

const weightOf = (priority: number): number => Math.min(10, Math.max(0.1, 1 + priority / 10_000))
