import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { bid } from '../../../test/markets.ts'
import { InvalidInput } from '../errors.ts'
import type { Millicores } from '../units.ts'
import { clearMarket } from './clear.ts'

void describe('core/market: what is refused', () => {
  const good = bid({ id: 'good' })
  each(
    [
      {
        name: 'capacity below 0',
        capacity: -1,
        bids: [],
        says: 'market: expected capacity to be a whole number of 0 or more, got -1',
      },
      { name: 'capacity that is not a number', capacity: NaN, bids: [], says: 'capacity' },
      { name: 'capacity in parts of a unit', capacity: 0.5, bids: [], says: 'capacity' },
      {
        name: 'a floor below 0',
        bids: [bid({ id: 'x', floor: -1 })],
        says: 'bid "x": expected floor to be a whole number of 0 or more, got -1',
      },
      {
        name: 'a need that is not finite',
        bids: [bid({ id: 'x', need: Infinity, ceiling: 9 })],
        says: 'bid "x": expected need',
      },
      {
        name: 'a ceiling that is not a number',
        bids: [bid({ id: 'x', ceiling: NaN, need: 1 })],
        says: 'bid "x": expected ceiling',
      },
      {
        name: 'a floor above the ceiling',
        bids: [bid({ id: 'x', floor: 9, ceiling: 8 })],
        says: 'bid "x": expected floor to be at most its ceiling of 8, got 9',
      },
      {
        name: 'a weight of 0',
        bids: [bid({ id: 'x', weight: 0 })],
        says: 'bid "x": expected weight to be from 1e-9 to 1000000000, got 0',
      },
      {
        name: 'a negative weight',
        bids: [bid({ id: 'x', weight: -2 })],
        says: 'bid "x": expected weight',
      },
      {
        name: 'a weight that is not a number',
        bids: [bid({ id: 'x', weight: NaN })],
        says: 'bid "x": expected weight',
      },
      {
        name: 'an id twice',
        bids: [good, bid({ id: 'x' }), bid({ id: 'x' })],
        says: 'bid "x": expected id to be of one bid only, but bids 2 and 3 share it',
      },
      {
        name: 'an empty id',
        bids: [good, bid({ id: '' })],
        says: 'bid 2: expected id to be a name, got ""',
      },
      {
        name: 'needs beyond exact counting',
        bids: [bid({ need: 2 ** 53 - 1 }), bid({ need: 2 ** 53 - 1 })],
        says: 'market: expected needs that add up to less than 2^53',
      },
    ],
    ({ capacity = 100, bids, says }) => {
      assert.throws(
        () => clearMarket(capacity as Millicores, bids),
        (error) => error instanceof InvalidInput && error.message.includes(says),
      )
    },
  )
})
