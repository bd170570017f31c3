/**
 * On which scale the weights of those that take part are written.
 *
 * Objective: pods that take no part weigh what their kubelet makes of their requests, and nobody may
 * take from them what they requested. Whoever is in a lane uses no more than it is entitled to, or was
 * given; whoever is in none uses what it can get, and a latency target multiplies its weight. So those
 * in none weigh together at most what the market gave them, which leaves out what others requested.
 * Method: one factor for all, so that the ratios among them stay; a power of 4, so that it seldom
 * changes. O(n) per sample.
 *
 *   in no lane: given, weigh           scale
 *   3000m, 3                       ->  1
 *   3000m, 384 by its target       ->  1/256
 *   1000m, 64; 1000m, 1            ->  1/64
 */
import { isInLane } from './lane.ts'
import { type Claim, weigh } from './weigh.ts'

const STEP = 4

export function scaleOf(claims: Iterable<Claim>, laneFactor: number): number {
  let [given, weight] = [0, 0]
  for (const claim of claims) {
    if (isInLane(claim.credits) || isInLane(claim.marketCredits)) continue
    given += Math.max(claim.given, claim.entitled) / 1000
    weight += weigh(claim, laneFactor)
  }
  // A hair above: 64 is a power of 4, and sums are not exact.
  const steps = weight > given ? Math.ceil(Math.log(weight / given) / Math.log(STEP) - 1e-9) : 0
  return STEP ** -steps
}
