import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { bid, cleared, congestedMarket, market } from '../../../test/markets.ts'
import { type Millicores, millicores } from '../units.ts'
import type { Clearing } from './clear.ts'
import { mechanismNames } from './mechanism-names.ts'
import { verifyClearing } from './verify.ts'

void describe('core/market: verify', () => {
  const capacity = 1000
  const bids = [
    bid({ id: 'a', floor: 100, weight: 3 }),
    bid({ id: 'b', floor: 100 }),
    bid({ id: 'c', need: 50 }),
  ]
  const right = cleared(capacity, bids)

  const wrong = (change: Partial<Clearing<Millicores>>, over = bids): string[] =>
    verifyClearing(millicores(capacity), over, { ...right, ...change })

  const amounts = (...values: number[]) => ({ amounts: values as Millicores[] })

  each(
    [
      {
        name: 'a unit made from nothing',
        change: amounts(663, 288, 50),
        says: 'the sum of the allocations',
      },
      { name: 'a unit lost', change: amounts(662, 287, 50), says: 'the sum of the allocations' },
      {
        name: 'a unit moved to who gains less',
        change: amounts(664, 286, 50),
        says: 'bid "b": would gain more',
      },
      {
        name: 'less than the floor',
        change: amounts(900, 50, 50),
        says: 'bid "b": expected a whole amount',
      },
      {
        name: 'more than the need',
        change: amounts(612, 287, 101),
        says: 'bid "c": expected a whole amount',
      },
      {
        name: 'parts of a unit',
        change: amounts(662.5, 287.5, 50),
        says: 'bid "a": expected a whole amount',
      },
      {
        name: 'another mode',
        change: { mode: 'overloaded' },
        says: 'expected mode to be congested',
      },
      {
        name: 'slack that is not there',
        change: { slack: millicores(1) },
        says: 'expected slack to be 0',
      },
      {
        name: 'another price',
        change: { price: (right.price ?? 0) * 1.0001 },
        says: 'not at the common level',
      },
      { name: 'no price', change: { price: null }, says: 'expected a positive price' },
      {
        name: 'another capacity',
        change: { capacity: millicores(999) },
        says: 'expected capacity to be 1000',
      },
      {
        name: 'an allocation missing',
        change: amounts(662, 288),
        says: 'an allocation for each of 3 bids',
      },
      {
        name: 'exact values that are not optimal',
        change: { exact: right.exact.map((value, i) => value + [1e-3, -1e-3, 0][i]!) },
        says: 'not at the common level',
      },
      {
        name: 'exact values that use too little',
        change: { exact: right.exact.map((value) => value - 1e-3) },
        says: 'expected the exact values to use',
      },
      {
        name: 'a certificate that admits a fault',
        change: { certificate: { primal: 0, dual: 1e-3, complementarity: 0 } },
        says: 'certificate: expected dual',
      },
      {
        name: 'a certificate that hides one',
        change: { exact: right.exact.map((value, i) => value + [1e-3, -1e-3, 0][i]!) },
        says: 'certificate: expected a residual',
      },
    ] as const,
    ({ change, says }) => {
      const problems = wrong(change)
      assert.ok(
        problems.some((problem) => problem.includes(says)),
        `said: ${problems.join('; ')}`,
      )
    },
  )

  void test('a congested market has a price under Kalai-Smorodinsky too', () => {
    const mechanism = 'kalai-smorodinsky'
    const priceless = { ...cleared(capacity, bids, { mechanism }), price: null }
    assert.deepEqual(verifyClearing(millicores(capacity), bids, priceless), [
      'expected a positive price, got null',
    ])
  })

  void test('a valid clearing has no problem, in every mode and mechanism', () => {
    for (const mechanism of mechanismNames) {
      fc.assert(
        fc.property(market, ({ capacity, bids }) => void cleared(capacity, bids, { mechanism })),
      )
    }
  })

  void test('no two units can be swapped unnoticed', () => {
    fc.assert(
      fc.property(congestedMarket, fc.nat(), fc.nat(), (market, from, to) => {
        const clearing = cleared(market.capacity, market.bids)
        const moved = clearing.amounts.map((amount) => amount as number)
        const [i, j] = [from % moved.length, to % moved.length]
        if (i === j) return
        moved[i] = (moved[i] ?? 0) - 1
        moved[j] = (moved[j] ?? 0) + 1
        const changed = { ...clearing, amounts: moved as Millicores[] }
        assert.notDeepEqual(verifyClearing(millicores(market.capacity), market.bids, changed), [])
      }),
      { numRuns: 500 },
    )
  })
})
