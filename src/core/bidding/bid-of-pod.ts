/**
 * A pod's bid.
 *
 *   floor    mbcas.io/min-cpu; else what a Guaranteed pod was created with, and for others 100m or a
 *            lower mbcas.io/max-cpu; at least 10m a container, or what a LimitRange wants
 *   need     demand and head-room: 15 %, in cost mode 5 % or what the search found; with a latency
 *            target what its control law allows it, if that is more, to twice as much
 *   ceiling  the least of mbcas.io/max-cpu, the LimitRange, all that is sold and what the kubelet carries
 *            out; never below the floor, which LimitRange and kubelet bound too
 *   weight   (1 + priority / 10000, within 0.1 and 10) x mbcas.io/priority-multiplier
 *
 *   demand  priority  annotations                  floor  need   ceiling  weight
 *   0.4     0                                      100m   460m   sold     1
 *   0.4     10000     priority-multiplier 2        100m   460m   sold     4
 *   0.4     -50000    min-cpu 500m, max-cpu 400m   500m   460m   500m     0.1
 */
import type { Bid } from '../market/bid.ts'
import type { Millicores } from '../units.ts'
import { smallestLimit } from './container-shares.ts'
import { millicoresUp, type NodePod } from './pod.ts'
import type { BiddingRules } from './rules.ts'

export function bidOf(pod: NodePod, sold: Millicores, rules: BiddingRules): Bid<Millicores> {
  const { maxCpu = sold, priorityMultiplier } = pod.wishes
  const allowed = allowedBy(pod)
  const least = smallestLimit(pod) * pod.containers.length
  const floor = Math.min(allowed, Math.max(floorOf(pod, rules), least)) as Millicores
  return {
    id: pod.uid,
    floor,
    need: needOf(pod, rules),
    ceiling: Math.max(floor, Math.min(allowed, maxCpu)) as Millicores,
    weight: weightOf(pod.priority) * priorityMultiplier,
  }
}

function floorOf({ wishes, qosClass, containers }: NodePod, rules: BiddingRules): number {
  const { minCpu, maxCpu = rules.floor } = wishes
  if (minCpu !== undefined) return minCpu
  if (qosClass !== 'Guaranteed') return Math.min(rules.floor, maxCpu)
  return containers.reduce((sum, { request = 0, firstRequest = request }) => sum + firstRequest, 0)
}

/** Bursts that a mean does not show need more than a share of head-room; a backlog less than it seems. */
const MOST_AIMED = 2

function needOf(
  { containers, leastCpu, aimedCores = 0 }: NodePod,
  rules: BiddingRules,
): Millicores {
  if (rules.isCostMode && leastCpu !== undefined) return leastCpu
  const demand = containers.reduce((sum, { demandCores = 0 }) => sum + demandCores, 0)
  const usual = demand * (1 + rules.headroomRatio)
  return millicoresUp(Math.max(usual, Math.min(aimedCores, MOST_AIMED * usual)))
}

function allowedBy({ range, bound, containers }: NodePod): number {
  const { pod = Infinity, container = Infinity } = range ?? {}
  return Math.min(pod, container * containers.length, bound?.limit ?? Infinity)
}

const weightOf = (priority: number): number => Math.min(10, Math.max(0.1, 1 + priority / 10_000))
