/**
 * The level at which a known amount of water stands in vessels that fill at different speeds.
 *
 *   find t with  sum of min(cap_i, slope_i * t) = amount,   0 <= amount < sum of caps
 *
 * All mechanisms are this one search: Nash bargaining fills by weight (t is the inverse of the
 * price), Kalai-Smorodinsky and overload by weight x width.
 *
 * The sum is concave and linear between the breakpoints cap_i / slope_i, so the answer is exact once
 * it is known which vessels are full. A Newton step settles many of them at once; where it settles
 * less than half, a pivot drawn from those in question follows, so the whole is O(n) expected
 * whatever the input. (Continuous quadratic knapsack: Brucker
 * 1984; Kiwiel 2008.)
 *
 *   amount  slopes   caps        level
 *      300  1 1 1    500 500 500   100
 *      900  1 1 1    100 500 500   400   the first is full
 *      600  3 1      900 900       150   450 and 150
 */
import { exactSum } from '../sum.ts'
import type { Scratch } from './scratch.ts'

/** Vessels 0 to `count` - 1 and the amount to fill into them; one with cap 0 takes no part. */
export type Vessels = {
  readonly count: number
  readonly amount: number
  readonly slopes: Float64Array
  readonly caps: Float64Array
}

export type WaterLevel = {
  readonly level: number
  /** Rise of the level for one more unit: 1 / (slopes of the vessels that are not full). */
  readonly rise: number
}

export function waterLevel(vessels: Vessels, scratch: Scratch): WaterLevel {
  const { count, slopes, caps } = vessels
  const { breakpoints } = scratch
  for (let i = 0; i < count; i++) breakpoints[i] = caps[i]! > 0 ? caps[i]! / slopes[i]! : 0
  return settle(vessels, scratch, search(vessels, scratch))
}

/** The level up to rounding of the running sums; which vessels are full is decided in `settle`. */
function search({ count: all, amount, slopes, caps }: Vessels, scratch: Scratch): number {
  const { breakpoints, open } = scratch // open: not known whether they are full
  let count = 0
  let openSlope = 0
  for (let i = 0; i < all; i++) {
    if (caps[i]! > 0) {
      open[count++] = i
      openSlope += slopes[i]!
    }
  }
  let rest = amount // after the vessels known to be full
  let partSlope = 0 // of the vessels known to be part full
  let reached = 0 // the level is not below this; rounding must not take it back
  for (let round = 1; count > 0; round++) {
    // Newton from below never passes the level, so what it covers is full; covering nothing, it is there.
    const newton = Math.max(reached, rest / (partSlope + openSlope))
    reached = newton
    const before = count
    count = 0
    openSlope = 0
    for (let j = 0; j < before; j++) {
      const i = open[j]!
      if (breakpoints[i]! <= newton) rest -= caps[i]!
      else {
        open[count++] = i
        openSlope += slopes[i]!
      }
    }
    if (count === before) return newton
    if (count < before / 2 || count === 0) continue
    // It covered little: halve what is open, in expectation, by the breakpoint of one of them.
    const pivot = breakpoints[open[scatter(round, count)]!]!
    let capsUpTo = 0
    let slopesAbove = 0
    for (let j = 0; j < count; j++) {
      const i = open[j]!
      if (breakpoints[i]! <= pivot) capsUpTo += caps[i]!
      else slopesAbove += slopes[i]!
    }
    const full = capsUpTo + (partSlope + slopesAbove) * pivot <= rest
    const between = count
    count = 0
    openSlope = 0
    for (let j = 0; j < between; j++) {
      const i = open[j]!
      if (full ? breakpoints[i]! > pivot : breakpoints[i]! < pivot) {
        open[count++] = i
        openSlope += slopes[i]!
      } else if (!full) partSlope += slopes[i]!
    }
    if (full) {
      rest -= capsUpTo
      reached = pivot
    }
  }
  return Math.max(reached, rest / partSlope)
}

/** A fixed scattering in place of chance: `core` has no randomness, and a run must repeat. */
const scatter = (round: number, count: number): number =>
  Math.floor(((round * 0.618033988749895) % 1) * count)

/**
 * The exact level: starts just below, where every vessel within rounding still counts as part full,
 * and lets Newton steps with exact sums fill what is full. The outcome does not depend on the order
 * of the vessels.
 */
function settle(vessels: Vessels, scratch: Scratch, near: number): WaterLevel {
  const { count: all, amount, slopes, caps } = vessels
  const { breakpoints, partSlopes } = scratch
  let level = near * (1 - 1e-9)
  let result = { level: near, rise: 0 }
  for (;;) {
    let rest = amount
    let count = 0
    let nextBreak = Infinity
    for (let i = 0; i < all; i++) {
      if (breakpoints[i]! <= level * (1 + 1e-14)) rest -= caps[i]! // a tie up to rounding is full
      else {
        partSlopes[count++] = slopes[i]!
        if (breakpoints[i]! < nextBreak) nextBreak = breakpoints[i]!
      }
    }
    if (count === 0) return result // rounding passed the last breakpoint: the level before it stands
    const slope = exactSum(partSlopes, count)
    result = { level: Math.max(level, rest / slope), rise: 1 / slope }
    if (nextBreak > result.level * (1 + 1e-14)) return result
    level = result.level
  }
}
