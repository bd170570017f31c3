/**
 * Whole units as one would plainly give them: start from the shares rounded down and give what is
 * left one by one to whom gains most, from a heap. Rounding down may already have given somebody too
 * much (a first unit is worth more than any later one, so tiny shares come first); a unit then moves
 * as long as a move gains. The same unique outcome as `wholeUnits`: gains, then weights, then ids.
 */
import type { Mechanism } from '../../src/core/market/mechanisms.ts'
import type { Vessels } from '../../src/core/market/water-level.ts'
import type { CpuBid } from '../markets.ts'

type Before = (a: number, b: number) => boolean

export type Rounding = {
  readonly units: Float64Array
  /** What one more unit is worth. */
  readonly next: Float64Array
  /** What the last unit was worth. */
  readonly last: Float64Array
  readonly takers: Int32Array
  readonly givers: Int32Array
}

export const makeRounding = (count: number): Rounding => ({
  units: new Float64Array(count),
  next: new Float64Array(count),
  last: new Float64Array(count),
  takers: new Int32Array(count),
  givers: new Int32Array(count),
})

export function roundByHeap(
  { count, amount, slopes, caps }: Vessels,
  at: {
    readonly bids: readonly CpuBid[]
    readonly shares: Float64Array
    readonly unit: Mechanism['unit']
    readonly rounding: Rounding
  },
): Float64Array {
  const { bids, shares, unit } = at
  const { units, next, last, takers, givers } = at.rounding
  const nextGain = (i: number, held: number) =>
    held < (caps[i] as number) ? unit.gain(slopes[i] as number, held) : -Infinity
  const lastGain = (i: number, held: number) =>
    held > 0 ? unit.gain(slopes[i] as number, held - 1) : Infinity
  const isFirst: Before = (a, b) => comesFirst(bids[a] as CpuBid, bids[b] as CpuBid)
  const gainsMore: Before = (a, b) => {
    const [nextA, nextB] = [next[a] as number, next[b] as number]
    return nextA === nextB ? isFirst(a, b) : nextA > nextB
  }
  const losesLess: Before = (a, b) => {
    const [lastA, lastB] = [last[a] as number, last[b] as number]
    return lastA === lastB ? isFirst(b, a) : lastA < lastB
  }
  let left = amount
  for (let i = 0; i < count; i++) {
    const held = Math.floor(shares[i] as number)
    units[i] = held
    next[i] = nextGain(i, held)
    left -= held
  }
  const takes = (taker: number) => {
    const held = (units[taker] as number) + 1
    units[taker] = held
    next[taker] = nextGain(taker, held)
    sink(takers, { count, from: 0, comesBefore: gainsMore })
  }
  makeHeap(takers, count, gainsMore)
  for (; left > 0; left--) takes(takers[0] as number)

  for (let i = 0; i < count; i++) last[i] = lastGain(i, units[i] as number)
  makeHeap(givers, count, losesLess)
  // Who gives never takes and who takes never gives, so each needs its place in one heap only.
  for (;;) {
    const [taker, giver] = [takers[0] as number, givers[0] as number]
    const [gain, loss] = [next[taker] as number, last[giver] as number]
    if (units[giver] === 0 || gain < loss) return units
    if (gain === loss && !isFirst(taker, giver)) return units
    takes(taker)
    const held = (units[giver] as number) - 1
    units[giver] = held
    last[giver] = lastGain(giver, held)
    sink(givers, { count, from: 0, comesBefore: losesLess })
  }
}

function makeHeap(heap: Int32Array, count: number, comesBefore: Before): void {
  for (let i = 0; i < count; i++) heap[i] = i
  for (let from = (count >> 1) - 1; from >= 0; from--) sink(heap, { count, from, comesBefore })
}

/** Puts the item at `from` back below those that come before it. */
function sink(
  heap: Int32Array,
  { count, from, comesBefore }: { count: number; from: number; comesBefore: Before },
): void {
  const item = heap[from] as number
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= count) break
    if (child + 1 < count && comesBefore(heap[child + 1] as number, heap[child] as number)) child++
    if (!comesBefore(heap[child] as number, item)) break
    heap[at] = heap[child] as number
    at = child
  }
  heap[at] = item
}

const comesFirst = (a: CpuBid, b: CpuBid): boolean =>
  a.weight === b.weight ? a.id < b.id : a.weight > b.weight
