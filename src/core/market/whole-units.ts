/**
 * Hands out a known amount in whole units, each to the bid that gains most by it. For gains that
 * fall with every unit this greedy is the optimum of the integer problem, and it is monotone: one
 * unit more never takes one from anybody.
 *
 * Units are not handed out one by one. `unitsAbove(slope, level)` tells how many units of a bid gain
 * more than a level stands for; levels are tried, starting at the exact solution, until one gives the
 * amount, or two levels differ by at most one unit a bid; of that last unit the best are chosen.
 * O(n) a level, three or four levels.
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
  /** How many units gain strictly more than `level` stands for; rises with the level, 0 at level 0. */
  readonly unitsAbove: (slope: number, level: number) => number
}

export type Ranking = (a: number, b: number) => boolean

export function wholeUnits(
  { amount, slopes, caps }: Vessels,
  at: {
    /** Where to start: the level of the solution before rounding. */
    readonly level: number
    readonly unit: UnitGain
    /** Whether bid `a` comes before bid `b` where both gain the same. */
    readonly isFirst: Ranking
  },
): Float64Array {
  const { unit, isFirst } = at
  let lower = new Float64Array(caps.length)
  let upper = Float64Array.from(caps)
  if (amount === 0) return lower
  let tried = new Float64Array(caps.length)
  let [low, high, level] = [0, Infinity, at.level]
  let given = 0
  let stride = 1
  let wasShort = false
  for (let trial = 1; !differByOne(lower, upper); trial++) {
    let sum = 0
    let openSlope = 0
    for (let i = 0; i < caps.length; i++) {
      const cap = caps[i]!
      const slope = slopes[i]!
      // Units keep within 1 of slope x level, so a bid well past its cap need not be asked.
      const units = slope * level > cap + 1 ? cap : Math.min(cap, unit.unitsAbove(slope, level))
      tried[i] = units
      sum += units
      if (units < cap) openSlope += slope
    }
    if (sum === amount) return tried
    const isShort = sum < amount
    if (isShort) {
      ;[low, lower, tried, given] = [level, tried, lower, sum]
    } else {
      ;[high, upper, tried] = [level, tried, upper]
    }
    stride = trial > 1 && isShort === wasShort ? stride * 2 : 1
    wasShort = isShort
    const newton = level + (stride * (amount - sum)) / openSlope
    const middle = high === Infinity ? low * 2 : low + (high - low) / 2
    level = trial % 4 !== 0 && newton > low && newton < high ? newton : middle
    if (level <= low || level >= high) break // neighbouring doubles: what is between them ties
  }
  return addBest({ units: lower, upper, missing: amount - given, slopes, unit, isFirst })
}

function differByOne(lower: Float64Array, upper: Float64Array): boolean {
  for (let i = 0; i < lower.length; i++) if (upper[i]! - lower[i]! > 1) return false
  return true
}

function addBest(at: {
  units: Float64Array
  upper: Float64Array
  missing: number
  slopes: Float64Array
  unit: UnitGain
  isFirst: Ranking
}): Float64Array {
  const { units, upper, missing, slopes, unit, isFirst } = at
  const candidates: number[] = []
  const gains = new Float64Array(units.length)
  for (let i = 0; i < units.length; i++) {
    if (upper[i]! > units[i]!) gains[i] = unit.gain(slopes[i]!, units[i]!)
    for (let k = units[i]!; k < upper[i]!; k++) candidates.push(i)
  }
  takeFirst(candidates, missing, (a, b) =>
    gains[a] === gains[b] ? isFirst(a, b) : gains[a]! > gains[b]!,
  )
  for (let j = 0; j < missing; j++) units[candidates[j]!]! += 1
  return units
}
