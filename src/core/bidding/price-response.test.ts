import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { bid, cleared, market } from '../../../test/markets.ts'
import { wanting } from '../../../test/node-pods.ts'
import { countedNeed } from '../market/bid.ts'
import { millicores } from '../units.ts'
import { planNode } from './plan.ts'
import { respondToPrice } from './price-response.ts'
import { biddingRules } from './rules.ts'

void describe('the answer to a price', () => {
  each(
    [
      { name: 'one whose need is met gives some of it', needs: [300, 2000], gives: [260, 740] },
      { name: 'of larger needs more', needs: [600, 2000], gives: [484, 516] },
      { name: 'where there is enough, nothing', needs: [300, 600], gives: [300, 600] },
      { name: 'where it is barely short, next to nothing', needs: [300, 701], gives: [300, 700] },
    ],
    ({ needs, gives }) => {
      const bids = needs.map((need, i) => bid({ id: `b${i}`, need, ceiling: 4000 }))
      assert.deepEqual(respondToPrice(millicores(1000), bids).clearing.amounts, gives)
    },
  )

  void test('the price falls, for nash and for primal-dual', () => {
    const bids = [bid({ need: 300 }), bid({ need: 2000 })]
    for (const mechanism of ['nash', 'primal-dual'] as const) {
      const before = cleared(1000, bids, { mechanism }).price ?? NaN
      const after = respondToPrice(millicores(1000), bids, { mechanism }).clearing.price ?? NaN
      assert.ok(Math.abs(before * 700 - 1) < 0.01)
      assert.ok(Math.abs(after * 740 - 1) < 0.01)
    }
  })

  void test('is off by default, and told when it is on', () => {
    const pods = [wanting('a', 0.3), wanting('b', 2)]
    const plan = (respondsToPrice: boolean) =>
      planNode({ allocatable: millicores(1000) }, pods, { ...biddingRules, respondsToPrice })
    assert.deepEqual(planNode({ allocatable: millicores(1000) }, pods), plan(false))
    assert.ok((plan(true).clearing.price ?? NaN) < (plan(false).clearing.price ?? NaN))
    assert.match(
      plan(true).decisions[0]?.reason ?? '',
      /; for the price it asks for \d+m less than it could use$/,
    )
  })

  void test('needs fall by at most a fifth, never below floors; the price never rises', () => {
    fc.assert(
      fc.property(market, ({ capacity, bids }) => {
        const before = cleared(capacity, bids)
        const { bids: after, clearing } = respondToPrice(millicores(capacity), bids)
        for (const [i, { need, floor }] of after.entries()) {
          const asked = countedNeed(bids[i] ?? bid())
          assert.ok(need === bids[i]?.need || need >= Math.max(floor, asked * 0.8))
          assert.ok(need <= Math.max(asked, bids[i]?.need ?? 0))
        }
        assert.equal(clearing.mode, before.mode)
        assert.ok((clearing.price ?? Infinity) <= (before.price ?? Infinity) * (1 + 1e-9))
      }),
    )
  })
})
