import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { bid, cleared } from '../../../test/markets.ts'
import { mechanismNames } from './mechanism-names.ts'

void describe('core/market: what a clearing gives', () => {
  each(
    [
      { name: 'no bids: all is slack', capacity: 900, bids: [], gives: [], mode: 'uncongested' },
      {
        name: 'enough for all: everyone gets the need',
        capacity: 900,
        bids: [bid({ need: 300 }), bid({ need: 500 })],
        gives: [300, 500],
        mode: 'uncongested',
      },
      {
        name: 'needs that just fit are not congested',
        capacity: 800,
        bids: [bid({ need: 300 }), bid({ need: 500 })],
        gives: [300, 500],
        mode: 'uncongested',
      },
      {
        name: 'a need below the floor counts as the floor, above the ceiling as the ceiling',
        capacity: 900,
        bids: [bid({ floor: 100, need: 40 }), bid({ need: 900, ceiling: 500 })],
        gives: [100, 500],
        mode: 'uncongested',
      },
      {
        name: 'equal weights share equally',
        capacity: 900,
        bids: [bid(), bid(), bid()],
        gives: [300, 300, 300],
        mode: 'congested',
      },
      {
        name: 'a ceiling returns the rest',
        capacity: 900,
        bids: [bid({ ceiling: 100 }), bid()],
        gives: [100, 800],
        mode: 'congested',
      },
      {
        name: 'what is above the floors goes by weight',
        capacity: 1000,
        bids: [bid({ floor: 100, weight: 3 }), bid({ floor: 100, weight: 1 })],
        gives: [700, 300],
        mode: 'congested',
      },
      {
        name: 'a unit that cannot be halved goes to the smaller id',
        capacity: 5,
        bids: [bid({ id: 'b' }), bid({ id: 'a' })],
        gives: [2, 3],
        mode: 'congested',
      },
      {
        name: 'too few units: as many as possible above the floor, by weight, then by id',
        capacity: 2,
        bids: [bid({ id: 'c' }), bid({ id: 'b', weight: 2 }), bid({ id: 'a' })],
        gives: [0, 1, 1],
        mode: 'congested',
      },
      {
        name: 'capacity at the floors: congested, with nothing to give',
        capacity: 300,
        bids: [bid({ floor: 100 }), bid({ floor: 200 })],
        gives: [100, 200],
        mode: 'congested',
      },
      {
        name: 'floors that do not fit are shared by weight x floor, none above its floor',
        capacity: 1000,
        bids: [bid({ floor: 500, weight: 10 }), bid({ floor: 500 }), bid({ floor: 500 })],
        gives: [500, 250, 250],
        mode: 'overloaded',
      },
      {
        name: 'nothing to share at all',
        capacity: 0,
        bids: [bid({ floor: 500 }), bid({ floor: 0 })],
        gives: [0, 0],
        mode: 'overloaded',
      },
    ],
    ({ capacity, bids, gives, mode }) => {
      const clearing = cleared(capacity, bids)
      assert.deepEqual(clearing.amounts, gives)
      assert.equal(clearing.mode, mode)
    },
  )

  void test('Nash gives by weight, Kalai-Smorodinsky by what is asked', () => {
    const bids = [bid({ need: 900 }), bid({ need: 300 })]
    assert.deepEqual(cleared(600, bids, { mechanism: 'nash' }).amounts, [300, 300])
    assert.deepEqual(cleared(600, bids, { mechanism: 'kalai-smorodinsky' }).amounts, [450, 150])
  })

  void test('a fraction that rounding blurs leaves the price of one near its cap in doubt', () => {
    const bids = [
      bid({ floor: 254, need: 546, weight: 1e-6 }),
      bid({ floor: 3_641_500_308, need: 3_641_500_310, weight: 1e6 }),
    ]
    const { price } = cleared(3_641_500_564, bids, { mechanism: 'kalai-smorodinsky' })
    assert.ok(Math.abs((price ?? NaN) / 5e-7 - 1) < 1e-9, `${price}`)
  })

  void test('the price is what one more unit would add to the objective', () => {
    const bids = [bid({ floor: 100, weight: 2 }), bid({ floor: 50, weight: 1 }), bid({ need: 10 })]
    const welfare = (capacity: number) => {
      const { exact } = cleared(capacity, bids)
      const above = bids.map(({ floor, weight }, i) => weight * Math.log((exact[i] ?? 0) - floor))
      return above.reduce((sum, worth) => sum + worth, 0)
    }
    const { price } = cleared(1000, bids)
    assert.ok(Math.abs((welfare(1001) - welfare(999)) / 2 - (price ?? 0)) < 1e-6)
  })

  for (const mechanism of mechanismNames) {
    void test(`${mechanism}: bytes clear like millicores, to the byte`, () => {
      const gi = 2 ** 30
      const bids = [bid({ need: 700 * gi }), bid({ need: 900 * gi, weight: 3 }), bid({ need: 1 })]
      const capacity = 1000 * gi + 1
      const { amounts } = cleared(capacity, bids, { mechanism })
      assert.equal(
        amounts.reduce((sum, amount) => sum + amount, 0),
        capacity,
      )
    })
  }
})
