import assert from 'node:assert/strict'

import fc from 'fast-check'

import type { Bid } from '../src/core/market/bid.ts'
import { type Clearing, clearMarket, type ClearOptions } from '../src/core/market/clear.ts'
import { verifyClearing } from '../src/core/market/verify.ts'
import { type Millicores, millicores } from '../src/core/units.ts'

// Where only the fact of a failure counts, the smallest example need not be searched for.
if (process.env['MBCAS_NO_SHRINK'] !== undefined) fc.configureGlobal({ endOnFailure: true })

export type CpuBid = Bid<Millicores>
type Plain = { id?: string; floor?: number; need?: number; ceiling?: number; weight?: number }

let unnamed = 0

/** A bid of which a test states only what matters to it. */
export function bid(plain: Plain = {}): CpuBid {
  const { id = `unnamed-${unnamed++}`, floor = 0, weight = 1 } = plain
  const need = plain.need ?? plain.ceiling ?? 1000
  const ceiling = plain.ceiling ?? Math.max(need, floor)
  const [f, n, c] = [floor, need, ceiling].map((value) => value as Millicores)
  return { id, floor: f as Millicores, need: n as Millicores, ceiling: c as Millicores, weight }
}

/** Clears and verifies: no test looks at a clearing that `verify` has not seen. */
export function cleared(
  capacity: number,
  bids: readonly CpuBid[],
  options: ClearOptions = {},
): Clearing<Millicores> {
  const clearing = clearMarket(millicores(capacity), bids, options)
  assert.deepEqual(verifyClearing(millicores(capacity), bids, clearing), [])
  return clearing
}

const weight = fc.oneof(
  fc.constantFrom(1, 1, 2, 0.5, 3),
  fc.double({ min: -6, max: 6, noNaN: true }).map((exponent) => 10 ** exponent),
  fc.double({ min: 0.1, max: 10, noNaN: true }),
)

/** Small numbers make ties and zero widths likely, large ones make rounding visible. */
const size = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 4000 }))

const plainBid = fc.record({ floor: size, need: size, more: size, weight })

export type Market = { readonly capacity: number; readonly bids: readonly CpuBid[] }

/** Markets of every mode; `at` places capacity from nothing to more than everyone needs. */
export const market: fc.Arbitrary<Market> = fc
  .record({
    plain: fc.array(plainBid, { maxLength: 12 }),
    at: fc.double({ min: 0, max: 1.2, noNaN: true }),
    edge: fc.constantFrom('between', 'between', 'floors', 'needs', 'just above the floors'),
  })
  .map(({ plain, at, edge }) => {
    const bids = plain.map(({ floor, need, more, weight }, i) =>
      bid({ id: `b${i}`, floor, need, ceiling: floor + more, weight }),
    )
    const floors = bids.reduce((sum, { floor }) => sum + floor, 0)
    const needs = bids.reduce((sum, { floor, need, ceiling }) => {
      return sum + Math.min(Math.max(need, floor), ceiling)
    }, 0)
    const capacity = {
      between: Math.round(at * needs),
      floors,
      needs,
      'just above the floors': floors + Math.min(3, needs - floors),
    }[edge]
    return { capacity, bids }
  })

/** Only congested ones, where there is something to share and too little of it. */
export const congestedMarket = market
  .map(({ bids, capacity }) => {
    const floors = bids.reduce((sum, { floor }) => sum + floor, 0)
    return { bids, capacity: Math.max(capacity, floors) }
  })
  .filter(({ bids, capacity }) => clearMarket(millicores(capacity), bids).mode === 'congested')
