import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { bid, cleared } from '../../../test/markets.ts'
import { explainAllocation } from './explain.ts'
import type { MechanismName } from './mechanism-names.ts'

void describe('core/market: the reason for an allocation', () => {
  const rows: readonly {
    name: string
    capacity: number
    bids: readonly ReturnType<typeof bid>[]
    mechanism?: MechanismName
    says: string
  }[] = [
    {
      name: 'enough for all',
      capacity: 900,
      bids: [bid({ need: 300 })],
      says: 'gets its need of 300m in full: there is enough for everyone',
    },
    {
      name: 'a need above the ceiling',
      capacity: 900,
      bids: [bid({ need: 300, ceiling: 200 })],
      says: 'gets its ceiling of 200m, although it needs 300m',
    },
    {
      name: 'a need below the floor',
      capacity: 900,
      bids: [bid({ floor: 100, need: 40 })],
      says: 'gets its floor of 100m, although it needs only 40m',
    },
    {
      name: 'a floor that is all it needs',
      capacity: 900,
      bids: [bid({ floor: 100, need: 100 })],
      says: 'gets its floor of 100m, which is all it needs',
    },
    {
      name: 'a floor that is also the ceiling',
      capacity: 900,
      bids: [bid({ floor: 100, need: 300, ceiling: 100 })],
      says: 'gets its floor of 100m, which is also its ceiling',
    },
    {
      name: 'a share by weight',
      capacity: 1000,
      bids: [bid({ floor: 100, weight: 3 }), bid({ floor: 100 })],
      says: 'gets 700m of the 1000m it needs: capacity is short, so above its floor of 100m it gets 600m, its share by weight 3 at a price of 0.005 per millicore',
    },
    {
      name: 'a need met although capacity is short',
      capacity: 600,
      bids: [bid({ need: 100 }), bid()],
      says: 'gets its need of 100m in full: its weight of 1 entitles it to that much',
    },
    {
      name: 'a weight of many decimals',
      capacity: 600,
      bids: [bid({ need: 100, weight: 75 / 56 }), bid()],
      says: 'gets its need of 100m in full: its weight of 1.339 entitles it to that much',
    },
    {
      name: 'a small weight where floors are cut',
      capacity: 100,
      bids: [bid({ floor: 100, weight: 1 / 3000 }), bid({ floor: 100, weight: 1 / 3000 })],
      says: 'gets 50m of its floor of 100m: the floors do not fit into 100m, which is shared by weight (0.000333) x floor',
    },
    {
      name: 'a fraction of what it asks',
      capacity: 600,
      bids: [bid({ need: 900 }), bid({ need: 300 })],
      mechanism: 'kalai-smorodinsky',
      says: 'gets 450m of the 900m it needs: capacity is short, so above its floor of 0m it gets 450m, which is 50 % of what it asks (the common part times its weight of 1)',
    },
    {
      name: 'nothing above the floor',
      capacity: 101,
      bids: [bid({ floor: 100, weight: 1 }), bid({ weight: 2 })],
      says: 'stays at its floor of 100m: too little is left above the floors for a millicore each, and heavier bids come first',
    },
    {
      name: 'a floor cut short',
      capacity: 100,
      bids: [bid({ floor: 100 }), bid({ floor: 100 })],
      says: 'gets 50m of its floor of 100m: the floors do not fit into 100m, which is shared by weight (1) x floor',
    },
    {
      name: 'a floor kept when others are cut',
      capacity: 150,
      bids: [bid({ floor: 100, weight: 100 }), bid({ floor: 100 })],
      says: 'gets its floor of 100m and no more: the floors do not fit into 150m, but its weight of 100 entitles it to its floor',
    },
    {
      name: 'no floor to share',
      capacity: 50,
      bids: [bid({ floor: 0 }), bid({ floor: 100 })],
      says: 'gets nothing: even the floors do not fit, and its floor is 0m',
    },
  ]
  each(rows, ({ capacity, bids, mechanism = 'nash', says }) => {
    const clearing = cleared(capacity, bids, { mechanism })
    assert.equal(
      explainAllocation(clearing, bids, 0, (amount) => `${amount}m`),
      says,
    )
  })

  void test('a bid that is not there has no reason', () => {
    assert.throws(() => explainAllocation(cleared(9, []), [], 0, String), /there are 0 bids/)
  })
})
