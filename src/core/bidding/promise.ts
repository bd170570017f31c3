/**
 * What a pod's request should be: what the scheduler must keep free so that it gets what is its own
 * and its latency target holds. It follows use and bursts, and never how much idle CPU was taken.
 *
 * Elastic: no more than it uses on average, with head-room (`usual`), and no more than it is entitled
 * to. A pod whose latency target its entitlement did not keep is promised what the market gave its
 * bursts, up to twice what is usual of it. Where weights cannot be written, a request is all that makes the kernel share by the
 * market, so it is what the market gave. Strict: its need, but no more than is usual of it, nor than its
 * limit, which a Guaranteed pod has promised in full.
 * Both: no less than mbcas.io/min-cpu, or the least of 100m and its request.
 *
 * Together no more is promised than there is: what strict pods need now may be what an elastic one
 * leaves for a moment and is promised all the same. Entitlements fit, so that what is within them
 * stays, and what is beyond them is cut alike.
 *
 *   entitled  uses     given                           promised
 *   1000m     300m     350m                        ->  300m
 *   1000m     3000m    3500m   no target           ->  1000m
 *   1000m     1400m    1800m   target was missed   ->  1800m
 *   1000m     20m      20m                         ->  100m
 */
import type { Millicores } from '../units.ts'
import type { NodePod } from './pod.ts'
import type { BiddingRules } from './rules.ts'

export type PromiseQuestion = {
  readonly pod: NodePod
  /** As far as its ceiling lets it. */
  readonly entitled: Millicores
  /** Within floor and ceiling. */
  readonly need: Millicores
  readonly given: Millicores
  /** The share of a strict pod; undefined of an elastic one. */
  readonly limit: Millicores | undefined
  readonly isByRequests: boolean
  readonly rules: Pick<BiddingRules, 'floor'>
}

/** Of what is usual: bursts that a mean does not show. */
const MOST_SHORT = 2

export function promiseOf(question: PromiseQuestion): Millicores {
  const { pod, entitled, need, given, limit, isByRequests, rules } = question
  const { usual = need, isShort = false } = pod
  const least = leastPromiseOf(pod, entitled, rules)
  if (limit !== undefined) {
    const most = pod.qosClass === 'Guaranteed' ? limit : Math.min(usual, need, limit)
    return Math.max(least, most) as Millicores
  }
  const used = Math.min(usual, entitled)
  const short = isShort ? Math.min(given, MOST_SHORT * usual) : 0
  const shared = isByRequests ? given : 0
  return Math.max(least, used, short, shared) as Millicores
}

/** What a pod's request is never lowered below. */
export function leastPromiseOf(
  { wishes, qosClass }: NodePod,
  entitled: Millicores,
  { floor }: Pick<BiddingRules, 'floor'>,
): Millicores {
  const { minCpu, maxCpu = floor } = wishes
  if (minCpu !== undefined || qosClass === 'Guaranteed') return entitled
  return Math.min(floor, maxCpu, entitled) as Millicores
}

export type Promised = {
  readonly promise: Millicores
  readonly entitled: Millicores
  /** Its request is its limit: what it was given is promised. */
  readonly isFixed: boolean
}

/**
 * Made to fit into what is sold. O(n).
 *
 *   sold     entitled      promised         fits
 *   1000m    500m, 500m    400m, 900m  ->   400m, 600m
 *   1000m    300m, 100m    900m, 300m  ->   750m, 250m
 */
export function fitPromises(all: readonly Promised[], sold: Millicores): Millicores[] {
  const own = all.map(({ promise, entitled, isFixed }) =>
    isFixed ? promise : Math.min(promise, entitled),
  )
  const room = Math.max(
    0,
    own.reduce((left, amount) => left - amount, sold as number),
  )
  const beyond = all.map(({ promise }, i) => promise - (own[i] ?? promise))
  const wanted = beyond.reduce((sum, amount) => sum + amount, 0)
  const fits = (amount: number) => (wanted > room ? Math.floor((amount * room) / wanted) : amount)
  return beyond.map((amount, i) => ((own[i] ?? 0) + fits(amount)) as Millicores)
}
