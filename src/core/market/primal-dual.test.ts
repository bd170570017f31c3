import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { bid, cleared, congestedMarket } from '../../../test/markets.ts'
import { adjustPrice, bestResponse, startCoordinator } from './primal-dual.ts'

void describe('core/market: clearing by price alone', () => {
  void test('reaches the Nash clearing from any start, within a thousandth of a unit', () => {
    const start = fc.oneof(
      fc.constantFrom(0, 1e-300, 1e-12, 1, 1e12, 1e300),
      fc.double({ min: 0, max: 10, noNaN: true }),
    )
    fc.assert(
      fc.property(congestedMarket, start, ({ capacity, bids }, startPrice) => {
        const byPrice = cleared(capacity, bids, { mechanism: 'primal-dual', startPrice })
        const byNash = cleared(capacity, bids, { mechanism: 'nash' })
        assert.deepEqual(byPrice.amounts, byNash.amounts)
        for (const [i, value] of byNash.exact.entries()) {
          assert.ok(Math.abs((byPrice.exact[i] ?? NaN) - value) < 1e-3)
        }
        assert.ok((byPrice.iterations ?? Infinity) < 200, `${byPrice.iterations} prices`)
      }),
      { numRuns: 500 },
    )
  })

  void test('the last price is a good place to start', () => {
    const bids = Array.from({ length: 110 }, (_, i) => bid({ need: 50 + i, weight: 1 + (i % 4) }))
    const first = cleared(5000, bids, { mechanism: 'primal-dual' })
    const startPrice = first.price ?? 0
    const again = cleared(5000, bids, { mechanism: 'primal-dual', startPrice })
    const nearby = cleared(5050, bids, { mechanism: 'primal-dual', startPrice })
    assert.equal(again.iterations, 1)
    assert.ok((nearby.iterations ?? 0) < (first.iterations ?? 0))
  })

  void test('the coordinator needs no more than the sum of what is demanded', () => {
    // A crowd that it never sees: 3 / price up to 400, and a step that no bid of ours would make.
    const crowd = (price: number) => Math.min(400, 3 / price) + (price < 0.02 ? 50 : 0)
    let coordinator = startCoordinator(7)
    while (!coordinator.settled)
      coordinator = adjustPrice(coordinator, crowd(coordinator.price), 120)
    assert.ok(Math.abs(crowd(coordinator.price) - 120) < 1e-9)
  })

  void test('a price of nothing settles when everyone gets the need', () => {
    const coordinator = adjustPrice(startCoordinator(0), 90, 100)
    assert.deepEqual([coordinator.settled, coordinator.price], [true, 0])
  })

  void test('a best response beats every other answer at its price', () => {
    const worth = (weight: number, price: number, above: number) =>
      weight * Math.log(above) - price * above
    for (const price of [1e-3, 0.01, 0.5]) {
      const best = bestResponse(2, 500, price)
      for (const other of [best * 0.9, Math.min(500, best * 1.1), 1, 500]) {
        assert.ok(worth(2, price, best) >= worth(2, price, other))
      }
    }
  })
})
