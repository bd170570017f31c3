/**
 * Other ways to find the level of `waterLevel`, to race against it and to check it. Each finds t with
 * sum of min(cap_i, slope_i * t) = amount, for 0 <= amount < sum of caps, caps whole.
 *
 *   sort and walk    O(n log n)  sorts the vessels by breakpoint, walks from the last to fill
 *   sort and search  O(n log n)  sorts the breakpoints alone, which the engine does natively and
 *                                three times as fast, then bisects among them, O(n) a look
 *   bisection        O(n) a round, about 45 rounds to 1e-12
 */
import type { Vessels } from '../../src/core/market/water-level.ts'

/** Kept from call to call, as ours keeps its scratch; as long as the market has vessels. */
export type Work = {
  readonly breakpoints: Float64Array
  readonly sorted: Float64Array
  readonly order: Uint32Array
}

export const makeWork = (count: number): Work => ({
  breakpoints: new Float64Array(count),
  sorted: new Float64Array(count),
  order: new Uint32Array(count),
})

type Solver = (vessels: Vessels, work: Work) => number

export const solvers = { sortAndWalk, sortAndSearch, bisection } satisfies Record<string, Solver>

export function sortAndWalk(vessels: Vessels, work: Work): number {
  const { count, amount, slopes, caps } = vessels
  const { breakpoints, order } = work
  setBreakpoints(vessels, breakpoints)
  let full = 0
  for (let i = 0; i < count; i++) {
    order[i] = i
    full += caps[i] as number
  }
  order.sort((a, b) => (breakpoints[a] as number) - (breakpoints[b] as number))
  // From the last down the slopes only add up; subtracting them from the first up would cancel.
  let partSlope = 0
  let level = 0
  for (let j = count - 1; j >= 0; j--) {
    const i = order[j] as number
    if (caps[i] === 0) break
    if (partSlope > 0 && full + partSlope * (breakpoints[i] as number) <= amount) break
    full -= caps[i] as number
    partSlope += slopes[i] as number
    level = (amount - full) / partSlope
  }
  return level
}

export function sortAndSearch(vessels: Vessels, work: Work): number {
  const { count, amount, slopes, caps } = vessels
  const { breakpoints, sorted } = work
  setBreakpoints(vessels, breakpoints)
  sorted.set(breakpoints)
  sorted.sort()
  let low = -1 // the last place known to hold no more than the amount
  let high = count - 1 // the last one holds all, which is too much
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (filledAt(vessels, sorted[middle] as number) <= amount) low = middle
    else high = middle
  }
  const below = low < 0 ? -1 : (sorted[low] as number)
  let full = 0
  let partSlope = 0
  for (let i = 0; i < count; i++) {
    if ((breakpoints[i] as number) <= below || caps[i] === 0) full += caps[i] as number
    else partSlope += slopes[i] as number
  }
  return (amount - full) / partSlope
}

/** Until the sum is within 1e-12 of the amount, or 200 rounds, or no double is left between. */
export function bisection(vessels: Vessels, work: Work): number {
  const { count, amount } = vessels
  setBreakpoints(vessels, work.breakpoints)
  let low = 0
  let high = 0
  for (let i = 0; i < count; i++) high = Math.max(high, work.breakpoints[i] as number)
  let level = amount === 0 ? 0 : high / 2
  for (let round = 0; round < 200; round++) {
    const excess = filledAt(vessels, level) - amount
    if (Math.abs(excess) <= 1e-12 * amount) return level
    if (excess > 0) high = level
    else low = level
    level = low + (high - low) / 2
    if (level === low || level === high) return level
  }
  return level
}

/** What each holds at a level. */
export function formShares({ count, slopes, caps }: Vessels, level: number, into: Float64Array) {
  for (let i = 0; i < count; i++) {
    into[i] = Math.min(caps[i] as number, (slopes[i] as number) * level)
  }
  return into
}

function setBreakpoints({ count, slopes, caps }: Vessels, into: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const cap = caps[i] as number
    into[i] = cap > 0 ? cap / (slopes[i] as number) : 0
  }
}

function filledAt({ count, slopes, caps }: Vessels, level: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) {
    sum += Math.min(caps[i] as number, (slopes[i] as number) * level)
  }
  return sum
}
