/**
 * A pod's bid.
 *
 *   floor    what it has for certain. Elastic: what it needs of its entitlement, since the rest of it
 *            is anybody's until it wakes. Strict, where a share must be set before it is used: what is
 *            promised to it at least (promise.ts), and 10m per container, or what a LimitRange wants.
 *            No floor is above an entitlement, so that all bids' floors fit; where those that owners
 *            set do not (floorByHandOf), the plan says so
 *   need     demand: what it used and what it waited for; with a latency target what keeps its bursts
 *            from waiting, if that is more, up to twice as much. Strict: with head-room
 *   ceiling  the least of mbcas.io/max-cpu, the LimitRange, all there is and, for strict pods, what the
 *            kubelet carries out; never below the floor, which LimitRange and kubelet bound too
 *   weight   its part of its namespace's share (weights.ts)
 *
 *   demand  requested  annotations                        floor  need   ceiling
 *   0.4     100m                                          100m   400m   all
 *   0.4     500m                                          400m   400m   all
 *   0.4     500m       max-cpu 300m                       300m   400m   300m
 *   0.4     100m       enforcement strict                 100m   460m   all
 *   0.4     500m       strict, min-cpu 500m, max-cpu 400m 500m   460m   500m
 */
import type { Bid } from '../market/bid.ts'
import { formatMillicores } from '../quantity.ts'
import type { Millicores } from '../units.ts'
import { smallestOf } from './container-shares.ts'
import { floorSetOf } from './entitlement.ts'
import { millicoresUp, type NodePod } from './pod.ts'
import { leastPromiseOf } from './promise.ts'
import type { BiddingRules } from './rules.ts'

export type AroundBid = {
  /** All there is for those that bid. */
  readonly capacity: Millicores
  /** As far as there is room for all entitlements. */
  readonly entitled: Millicores
  readonly weight: number
  readonly rules: BiddingRules
  /** Nobody is held back now: what each uses is what it needs. */
  readonly isIdle: boolean
}

/** A Guaranteed pod has one amount for request and limit, so that its share is its limit. */
export const isStrict = (
  { qosClass, enforcement }: NodePod,
  rules: Pick<BiddingRules, 'enforcement'>,
): boolean => qosClass === 'Guaranteed' || (enforcement ?? rules.enforcement) === 'strict'

export function bidOf(pod: NodePod, around: AroundBid): Bid<Millicores> {
  const { capacity, weight, rules } = around
  const { maxCpu = capacity } = pod.wishes
  const strict = isStrict(pod, rules)
  const allowed = allowedBy(pod, strict)
  const need = needOf(pod, around, strict)
  const entitled = Math.min(allowed, around.entitled) as Millicores
  if (!strict) {
    // A ceiling binds also those who are entitled to more.
    const ceiling = Math.min(allowed, maxCpu) as Millicores
    const floor = Math.min(need, entitled, ceiling) as Millicores
    return { id: pod.uid, floor, need, ceiling, weight }
  }
  const least = Math.max(leastPromiseOf(pod, entitled, rules), smallestOf(pod))
  const floor = Math.min(least, entitled) as Millicores
  const ceiling = Math.min(allowed, Math.max(least, maxCpu)) as Millicores
  return { id: pod.uid, floor, need: Math.max(need, least) as Millicores, ceiling, weight }
}

/** In words, where its own ceiling counts for more than it says: no ceiling is below the floor. */
export function ceilingCutOf(
  { wishes: { maxCpu } }: NodePod,
  { ceiling }: Pick<Bid<Millicores>, 'ceiling'>,
): string | undefined {
  if (maxCpu === undefined || ceiling <= maxCpu) return undefined
  const counted = formatMillicores(ceiling)
  return `max-cpu ${formatMillicores(maxCpu)} is below the floor of ${counted}: counted as ${counted}`
}

/** In words, where its own floor is above its own ceiling, which binds it. */
export function floorAboveCeilingOf(pod: NodePod): string | undefined {
  const [floor, ceiling] = [floorSetOf(pod), ceilingByHandOf(pod)]
  if (ceiling === undefined || floor <= ceiling) return undefined
  const counted = formatMillicores(ceiling)
  return `min-cpu is above the ceiling of ${counted}: counted as ${counted}`
}

/** Bursts that a mean does not show need more than a share of head-room; a backlog less than it seems. */
const MOST_READY = 2

function needOf(
  { containers, readyCores = 0 }: NodePod,
  { rules, isIdle }: AroundBid,
  strict: boolean,
): Millicores {
  const total = (of: 'demandCores' | 'usageCores'): number =>
    containers.reduce((sum, container) => sum + (container[of] ?? 0), 0)
  if (isIdle && !strict) return millicoresUp(total('usageCores'))
  const demand = total('demandCores') * (strict ? 1 + rules.headroomRatio : 1)
  return millicoresUp(Math.max(demand, Math.min(readyCores, MOST_READY * demand)))
}

/** A resize that the kubelet does not carry out binds the shares that it would carry. */
function allowedBy({ range, bound, containers }: NodePod, strict: boolean): number {
  const { pod = Infinity, container = Infinity } = range ?? {}
  const carried = strict ? (bound?.limit ?? Infinity) : Infinity
  return Math.min(pod, container * containers.length, carried)
}

/** Set by a person: max-cpu or a LimitRange; undefined where nobody did. */
export function ceilingByHandOf(pod: NodePod): Millicores | undefined {
  const most = Math.min(pod.wishes.maxCpu ?? Infinity, allowedBy(pod, false))
  return most === Infinity ? undefined : (most as Millicores)
}

/** min-cpu as far as the namespace and its own ceiling let it; 0 where nobody set one. */
export function floorByHandOf(pod: NodePod, rules: Pick<BiddingRules, 'enforcement'>): Millicores {
  // Of a strict pod no max-cpu is below its floor.
  const most = isStrict(pod, rules) ? allowedBy(pod, false) : ceilingByHandOf(pod)
  return Math.min(floorSetOf(pod), most ?? Infinity) as Millicores
}
