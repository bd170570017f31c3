import type { Scratch } from './scratch.ts'
/**
 * Hands out a known amount in whole units, each to the bid that gains most by it. For gains that
 * fall with every unit this greedy is the optimum of the integer problem, and it is monotone: one
 * unit more never takes one from anybody.
 *
 * Units are not handed out one by one. `countAbove` tells how many units of each bid gain more than a
 * level stands for; levels are tried, starting at the exact solution, until one gives the
 * amount, or two levels differ by at most one unit a bid; of that last unit the best are chosen.
 * O(n) a level, two or three levels.
 *
 *   Nash, slopes 1 1 1, amount 10  ->  4 3 3   (the tie goes by weight, then by id)
 *   Nash, slopes 1 1 9, amount 2   ->  1 0 1   (as many as possible above nothing; the heavy one first)
 *   Nash, slopes 1 2, amount 10    ->  3 7     (w log((k+1)/k): 1 x 0.288 < 2 x 0.154)
 */
import { takeFirst } from './take-first.ts'
import type { Vessels } from './water-level.ts'

/** What one unit is worth to a bid, by mechanism. */
export type UnitGain = {
  /** Worth of the next unit for a bid that has `units`; falls with every unit. */
  readonly gain: (slope: number, units: number) => number
  /**
   * Writes how many units of each bid gain strictly more than `level` stands for, up to its cap, and
   * returns their sum. Both rise with the level, from 0 at level 0.
   */
  readonly countAbove: (vessels: Vessels, level: number, units: Float64Array) => number
}

export type Ranking = (a: number, b: number) => boolean

export function wholeUnits(
  vessels: Vessels,
  scratch: Scratch,
  at: {
    /** Where to start: the level of the solution before rounding. */
    readonly level: number
    readonly unit: UnitGain
    /** Whether bid `a` comes before bid `b` where both gain the same. */
    readonly isFirst: Ranking
  },
): Float64Array {
  const { count, amount, caps } = vessels
  const { unit, isFirst } = at
  let [lower, upper, tried] = scratch.units
  lower.fill(0, 0, count)
  if (amount === 0) return lower
  for (let i = 0; i < count; i++) upper[i] = caps[i]!
  let [low, high, level] = [0, Infinity, at.level]
  let given = 0
  let stride = 1
  let wasShort = false
  for (let trial = 1; !differByOne(lower, upper, count); trial++) {
    const sum = unit.countAbove(vessels, level, tried)
    if (sum === amount) return tried
    const isShort = sum < amount
    if (isShort) {
      ;[low, lower, tried, given] = [level, tried, lower, sum]
    } else {
      ;[high, upper, tried] = [level, tried, upper]
    }
    stride = trial > 1 && isShort === wasShort ? stride * 2 : 1
    wasShort = isShort
    const newton =
      level + (stride * pastBy(amount - sum)) / openSlope(vessels, isShort ? lower : upper)
    const middle = high === Infinity ? low * 2 : low + (high - low) / 2
    level = trial % 4 !== 0 && newton > low && newton < high ? newton : middle
    if (level <= low || level >= high) break // neighbouring doubles: what is between them ties
  }
  addBest(vessels, { lower, upper, missing: amount - given, gains: scratch.gains, unit, isFirst })
  return lower
}

/** Of the bids below their cap: how many units a level of 1 more would bring. */
function openSlope({ count, slopes, caps }: Vessels, units: Float64Array): number {
  let sum = 0
  for (let i = 0; i < count; i++) if (units[i]! < caps[i]!) sum += slopes[i]!
  return sum
}

/** Steps a little past the goal, so that the next level lies on its other side and encloses it. */
const pastBy = (missing: number): number =>
  missing + Math.sign(missing) * (1 + 2 * Math.sqrt(Math.abs(missing)))

function differByOne(lower: Float64Array, upper: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (upper[i]! - lower[i]! > 1) return false
  return true
}

/** Adds the units that are still missing to `lower`, each where `upper` allows and gains most. */
function addBest(
  { count, slopes }: Vessels,
  at: {
    readonly lower: Float64Array
    readonly upper: Float64Array
    readonly missing: number
    readonly gains: Float64Array
    readonly unit: UnitGain
    readonly isFirst: Ranking
  },
): void {
  const { lower, upper, missing, gains, unit, isFirst } = at
  const candidates: number[] = []
  for (let i = 0; i < count; i++) {
    if (upper[i]! > lower[i]!) gains[i] = unit.gain(slopes[i]!, lower[i]!)
    for (let k = lower[i]!; k < upper[i]!; k++) candidates.push(i)
  }
  takeFirst(candidates, missing, (a, b) =>
    gains[a] === gains[b] ? isFirst(a, b) : gains[a]! > gains[b]!,
  )
  for (let j = 0; j < missing; j++) lower[candidates[j]!]! += 1
}
