/**
 * On which scale the weights of those that take part are written.
 *
 * Objective: pods that take no part weigh what their kubelet makes of their requests, and nobody may
 * take from them what they requested. Whoever is in a lane and uses no more than it is entitled to, or
 * was given, takes nothing from them, at any weight. All others use what they can get: those outside the
 * lanes, whose weight a latency target multiplies, and those in a lane that spend what they saved. They
 * weigh together at most what the market gave them, which leaves out what others requested. Where all
 * take part there is nobody to mind.
 * Method: one factor for all, so that the ratios among them stay; a power of 4, so that it seldom
 * changes, and never less than undoes the lane: there whoever is in it weighs what its kubelet gave it,
 * and with less others would take what it requested. It falls at once and rises after some seconds, since
 * a burst may be back. Nor less than where tiny pods, which the kernel lets weigh no less than its least,
 * would together weigh more beside the lane than what they were given: on v2 its least is that of 25m.
 * On a large node the least factor of the lane is more than the kernel takes, so that all weights come
 * down. O(n) per sample.
 *
 *   beside others: given, weigh         scale
 *   3000m, 3 in no lane             ->  1
 *   3000m, 384 by its target        ->  1/256
 *   1000m, 256 in a burst; 1000m, 1 ->  1/256
 *   1000m, 256 within it            ->  1
 */
import type { Millicores } from '../units.ts'
import { isInLane, MOST_WEIGHT } from './lane.ts'
import { type Claim, SECOND_LANE, weigh } from './weigh.ts'

/** A claim with what its owner used in the last sample. */
export type ActiveClaim = Claim & { readonly used: Millicores }

export type ScaleQuestion = {
  /** Of the node's lane. */
  readonly laneFactor: number
  /** What counts as anybody's own, at most, in CPUs; the largest entitlement if not told. */
  readonly largest?: number
  /** Pods that take no part are beside them, and may want CPU. */
  readonly hasOthers: boolean
  /**
   * How much more a kubelet gives those than by the straight line on which ours are written: 1, but
   * where it bends the line from shares to weights (conversions in core/cgroup/weight.ts).
   */
  readonly unit: number
  /** The least that the kernel takes, in CPUs of a kubelet. */
  readonly leastWeight: number
}

const STEP = 4
const RISE_SECONDS = 5

export function scaleOf(
  claims: readonly ActiveClaim[],
  { laneFactor, largest: most = 0, hasOthers, unit, leastWeight }: ScaleQuestion,
): number {
  let [given, weight, largest, leasts] = [0, 0, most, 0]
  for (const claim of claims) {
    const share = Math.max(claim.given, claim.entitled)
    largest = Math.max(largest, claim.entitled / 1000)
    const isWithin =
      (isInLane(claim.credits) && claim.used <= claim.entitled) ||
      (isInLane(claim.marketCredits) && claim.used <= share)
    if (isWithin || !hasOthers) continue
    given += share / 1000
    weight += weigh(claim, laneFactor)
    leasts += leastWeight
  }
  // A hair above: 64 is a power of 4, and sums are not exact.
  const steps = weight > given ? Math.ceil(Math.log(weight / given) / Math.log(STEP) - 1e-9) : 0
  const clamped = given === 0 ? 1 : Math.max(1, leasts / given)
  const least = Math.min(1, clamped / Math.max(SECOND_LANE, laneFactor))
  return Math.min(unit * Math.max(STEP ** -steps, least), MOST_WEIGHT / (largest * laneFactor))
}

export type SteadyScale = {
  readonly scale: number
  /** For so long more would have done. */
  readonly lowSeconds: number
}

export const startScale: SteadyScale = { scale: 1, lowSeconds: 0 }

export function stepScale(before: SteadyScale, wanted: number, seconds: number): SteadyScale {
  const lowSeconds = wanted > before.scale ? before.lowSeconds + seconds : 0
  const changes = wanted < before.scale || lowSeconds >= RISE_SECONDS
  return changes ? { scale: wanted, lowSeconds: 0 } : { ...before, lowSeconds }
}
