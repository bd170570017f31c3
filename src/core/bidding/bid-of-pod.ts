/**
 * A pod's bid.
 *
 *   floor    mbcas.io/min-cpu, up to what the pod requested or the administrator allows its namespace;
 *            else what a Guaranteed pod was created with, and for others the least of 100m,
 *            mbcas.io/max-cpu and what it requested; at least 10m a container, or what a LimitRange wants
 *   need     demand and head-room: 15 %, in cost mode 5 % or what the search found; with a latency
 *            target what its control law allows it, if that is more, to twice as much
 *   ceiling  the least of mbcas.io/max-cpu, the LimitRange, all that is sold and what the kubelet carries
 *            out; never below the floor, which LimitRange and kubelet bound too
 *   weight   its part of its namespace's share (weights.ts)
 *
 *   demand  requested  annotations                  floor  need   ceiling
 *   0.4     100m                                    100m   460m   sold
 *   0.4     20m                                     20m    460m   sold
 *   0.4     500m       min-cpu 500m, max-cpu 400m   500m   460m   500m
 *   0.4     100m       min-cpu 500m                 100m   460m   sold
 */
import type { Bid } from '../market/bid.ts'
import { formatMillicores } from '../quantity.ts'
import type { Millicores } from '../units.ts'
import { smallestLimit } from './container-shares.ts'
import { millicoresUp, type NodePod } from './pod.ts'
import type { BiddingRules } from './rules.ts'
import { requestedBy } from './weights.ts'

export type AroundBid = {
  readonly sold: Millicores
  /** Of what was requested, the part that can be had: below 1 where more was than is sold. */
  readonly entitledRatio: number
  readonly weight: number
  readonly rules: BiddingRules
}

export function bidOf(
  pod: NodePod,
  { sold, entitledRatio, weight, rules }: AroundBid,
): Bid<Millicores> {
  const { maxCpu = sold } = pod.wishes
  const allowed = allowedBy(pod)
  const least = smallestLimit(pod) * pod.containers.length
  const own = floorOf(pod, { entitledRatio, rules })
  const floor = Math.min(allowed, Math.max(own, least)) as Millicores
  return {
    id: pod.uid,
    floor,
    need: needOf(pod, rules),
    ceiling: Math.max(floor, Math.min(allowed, maxCpu)) as Millicores,
    weight,
  }
}

function floorOf(
  pod: NodePod,
  { entitledRatio, rules }: Pick<AroundBid, 'entitledRatio' | 'rules'>,
): number {
  const { wishes, qosClass, maxMinCpu = 0 } = pod
  const { minCpu, maxCpu = rules.floor } = wishes
  const requested = requestedBy(pod)
  const most = Math.max(maxMinCpu, Math.floor(requested * entitledRatio))
  if (minCpu !== undefined) return Math.min(minCpu, most)
  return qosClass === 'Guaranteed' ? requested : Math.min(rules.floor, maxCpu, most)
}

/** In words, where its own floor counts for less than it says. */
export function floorCutOf(pod: NodePod): string | undefined {
  const { minCpu = 0 as Millicores } = pod.wishes
  const { maxMinCpu = 0 } = pod
  const most = Math.max(maxMinCpu, requestedBy(pod)) as Millicores
  if (minCpu <= most) return undefined
  const which = most === maxMinCpu ? 'its namespace allows' : 'it requested'
  const [asked, counted] = [formatMillicores(minCpu), formatMillicores(most)]
  return `min-cpu ${asked} is above the ${counted} that ${which}: counted as ${counted}`
}

/** In words, where its own ceiling counts for more than it says: no ceiling is below the floor. */
export function ceilingCutOf(
  { wishes: { maxCpu } }: NodePod,
  { floor, ceiling }: Bid<Millicores>,
): string | undefined {
  if (maxCpu === undefined || floor <= maxCpu) return undefined
  const counted = formatMillicores(ceiling)
  return `max-cpu ${formatMillicores(maxCpu)} is below the floor of ${counted}: counted as ${counted}`
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
