/**
 * The fast lane: within what it requested nobody waits.
 *
 * Weights in the ratio of requests share throughput, not waiting: a service at two thirds of its
 * request still queues behind the slices of a busy neighbour. So whoever used less than its
 * entitlement in the last moments weighs far more than everyone who used more.
 *
 * Law: entitlements fit into the node, and all in the lane weigh theirs times the same factor from a
 * quarter of a second of credits on, and less in three steps below, so nobody in it can take what
 * another namespace requested; inside one its owners' words share what is its own (own.ts). Over any ten
 * seconds whoever wants its entitlement has had it, but for what it took beyond it just before, and for
 * the half second until it is seen to be short and has its place (laws.test.ts).
 *
 * Method: credits, in seconds of the entitlement, grow by the time that passed and shrink by use. They
 * start at 0, since a hog that begins with some would keep its place for seconds; 2 s carry a burst,
 * where 0.5 s do not. Debts reach 1.5 s: a hog that had all that others left gives way to a neighbour's
 * burst for as long, where with 0.25 s it was back in the middle of it, with the same weight (nginx in
 * bursts beside stress-ng: p99 of 292 ms, by hand 40). Beside idle CPU nothing is taken from anybody: no
 * debts are made, and time pays off those that are there. Whoever has credits is in the lane; with the
 * steps, a pod that uses just what it is entitled to does not go back and forth between the ends.
 * O(1) per sample.
 * Reference: found for this project, on PostgreSQL beside stress-ng; `npm run bench -- programs`.
 *
 *   entitled to 1 CPU                        credits         factor, at most 256
 *   idle for 0.1 s                           0    -> 0.1     29
 *   idle for 5 s                             0    -> 2       256
 *   uses 1.5 CPUs for 1 s                    0.25 -> -0.25   1
 *   uses 2 CPUs for 5 s                      0.25 -> -1.5    1
 *   uses 1.5 CPUs for 5 s, beside idle CPU   0.25 -> 0       1
 *   the same                                 -1   -> 0       1
 */

/** In seconds of the entitlement. */
const MOST_CREDITS = 2
const MOST_DEBT = 1.5
/** So many are all the way in the lane. */
const ENOUGH_CREDITS = 0.25

/** A weight of 256 CPUs is all that the kernel takes, on v1 and v2; see scale.ts. */
export const MOST_WEIGHT = 256
/** With 10 the second lane of one who was lent a node of 64 CPUs took a third of it from those who woke. */
const FACTORS = { least: 64, most: 1000 }
/** Of the first step. */
const FIRST_FACTOR = 10
/** Every change of a weight is a write to the kernel. */
const GRADES = 3

export type Spell = {
  readonly seconds: number
  readonly usedCores: number
  readonly entitledCores: number
  /** Nobody on the node waited for what was used. */
  readonly hasIdleCpu: boolean
}

export const startCredits = 0

export function stepCredits(before: number, spell: Spell): number {
  const { seconds, usedCores, entitledCores, hasIdleCpu } = spell
  if (!(entitledCores > 0)) return -MOST_DEBT
  const after = before + seconds * (1 - usedCores / entitledCores)
  const least = hasIdleCpu ? Math.min(0, before + seconds) : -MOST_DEBT
  return Math.min(MOST_CREDITS, Math.max(least, after))
}

export const isInLane = (credits: number): boolean => credits > 0

/**
 * The factor of a node's lane: as large as the kernel takes for the largest entitlement on it, so that
 * all with enough credits weigh in the ratio of what they are entitled to, and 64 at least, for which all
 * weights come down on a large node.
 *
 *   largest entitlement   0.1 CPU   1 CPU   4 CPUs   64 CPUs
 *   factor                1000      256     64       64
 */
export const laneFactorFor = (largestCores: number): number =>
  Math.min(FACTORS.most, Math.max(FACTORS.least, MOST_WEIGHT / largestCores))

/** What the weight of an entitlement is multiplied by; 1 outside the lane. */
export function laneFactor(credits: number, most: number): number {
  if (!isInLane(credits)) return 1
  const grade = Math.floor(Math.min(1, credits / ENOUGH_CREDITS) * GRADES)
  return FIRST_FACTOR * (most / FIRST_FACTOR) ** (grade / GRADES)
}
