/**
 * What a member of the market weighs in the kernel at this moment.
 *
 * Kernel weights are weighted max-min fairness: the kernel fills up at every tick what the market
 * computes every few seconds, with the true demand, and gives what one leaves to the others at once.
 * Inside the fast lane a member weighs its entitlement, times the factor of the lane; outside it, what
 * the clearing gave it, and four times that while it is within it: a second lane, so that nobody
 * waits behind those who take more than the market gave them. Outside the lane a latency target
 * multiplies the weight by 64, and by up to 128 the nearer it is to being missed, but never to more
 * than its entitlement weighs in the lane, however much the market lent it: a target, true or made up,
 * takes nothing that other namespaces requested. The lower steps of the lane weigh less than that: whoever comes
 * into it keeps the larger of the two weights.
 * Amounts are in CPUs of a kubelet, 1024 shares each, so that pods that take no part, and weigh what
 * their kubelet gave them, are on the same scale. O(1).
 *
 *   factor 256: entitled  given   credits  of the market  urgency      weight
 *               1000m     1000m   2        2              0        ->  256
 *               1000m     3000m   -0.2     -0.2           0        ->  3
 *               1000m     3000m   -0.2     0.5            0        ->  12
 *               1000m     3000m   -0.2     -0.2           1        ->  256
 *               1000m     1000m   0.1      0.1            0        ->  29
 *               1000m     1000m   0.1      0.1            0.5      ->  256    by its target
 *               1000m     1000m   2        2              0        ->  32     yields
 */
import { clampShares } from '../cgroup/weight.ts'
import type { Millicores } from '../units.ts'
import { isInLane, laneFactor } from './lane.ts'
import type { Own } from './own.ts'

export type Claim = {
  /** What it requested, as far as the node has it. */
  readonly entitled: Millicores
  /** By the last clearing; at least the entitlement. */
  readonly given: Millicores
  readonly credits: number
  /** The same of what the market gave. */
  readonly marketCredits: number
  /** From 0, without a latency target, to 1, where it is missed. */
  readonly urgency: number
  /** What counts as its own inside its namespace (own.ts); the entitlement if not told. */
  readonly own?: Own
}

/** When it was found (ADR 27), `noisy-neighbour` missed 7.6 % of targets with 64, 6.8 % with 128. */
const MOST_URGENT = 128
/** When it was found (ADR 27), `noisy-neighbour` missed 10.6 % of targets without it, 6.8 % with it. */
export const SECOND_LANE = 4
/**
 * Of who yields to a mate with a target. With enough credits it still weighs eight times its entitlement in
 * the lane at least, where nobody without a target weighs more than four times what the market gave; with
 * few it has the weight of the second lane.
 */
const YIELDING_RATIO = 1 / 8
/** As a kubelet counts. */
export const SHARES_PER_CPU = 1024

/** `most` is the factor of the node's lane. */
export function weigh(claim: Claim, most: number): number {
  const { entitled, given, credits, marketCredits, urgency } = claim
  const { cores: own, yields } = claim.own ?? { cores: entitled / 1000, yields: false }
  const lane = isInLane(marketCredits) ? SECOND_LANE : 1
  const plain = (lane * Math.max(given, entitled)) / 1000
  const target = 1 + (MOST_URGENT - 1) * urgency
  const part = entitled === 0 ? 1 : (1000 * own) / entitled
  const boosted = Math.min(plain * target * part, own * most)
  const outside = urgency === 0 ? plain : Math.max(plain, boosted)
  if (!isInLane(credits)) return outside
  return Math.max(own * laneFactor(credits, most) * (yields ? YIELDING_RATIO : 1), outside)
}

/**
 * The weight on the scale of the node. Who yields to a mate does so to nobody else: a small scale, which
 * is for pods that take no part, makes it no lighter than its kubelet would.
 */
export function weighOn(scale: number, claim: Claim, most: number): number {
  const weight = weigh(claim, most) * scale
  const { own } = claim
  if (own?.yields !== true || !isInLane(claim.credits)) return weight
  return Math.max(weight, Math.min(own.cores, weight / YIELDING_RATIO))
}

/** In cpu.shares, as far as the kernel takes it. */
export const sharesOf = (weight: number): number => clampShares(weight * SHARES_PER_CPU)

/** Smaller changes are not worth a write. */
const SAME_RATIO = 1.15

export const isSameWeight = (a: number, b: number): boolean =>
  Math.max(a, b) <= SAME_RATIO * Math.min(a, b)

/** Of its target: from here on a latency is on its way to being missed. */
const NEAR_RATIO = 0.5
/** Of a latency that is far from its target: a burst is over before its latency is measured. */
const LEAST_URGENCY = 0.5

/**
 * How near a latency target is to being missed: p99 over target, where it is known. A target whose
 * latency nobody measures counts in full: otherwise it would count for little.
 *
 *   p99 over target   0.5   0.75   1   2   not known
 *   urgency           0.5   0.75   1   1   1
 */
export function urgencyOf(hasTarget: boolean, slowRatio: number | undefined): number {
  if (!hasTarget) return 0
  if (slowRatio === undefined) return 1
  const nearness = Math.min(1, Math.max(0, (slowRatio - NEAR_RATIO) / (1 - NEAR_RATIO)))
  return LEAST_URGENCY + (1 - LEAST_URGENCY) * nearness
}

export type TopLevel = {
  /** Of the group `burstable`, which its kubelet sets. */
  readonly group: number
  /** What those of them weigh together that want CPU now. */
  readonly weight: number
}

/**
 * A Guaranteed pod is a sibling of the group `burstable`, whose weight is the kubelet's and stays. What
 * it weighs against the pods inside is put on the scale of the group.
 *
 *   the pod 10; the group 3, those inside 30 together  ->  1
 */
export const besideBurstable = (weight: number, { group, weight: inside }: TopLevel): number =>
  inside === 0 || group === 0 ? weight : (weight * group) / inside
