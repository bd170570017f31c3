/** The rivals of the bench as oracles: what they find by sorting, bisecting and heaps, ours finds too. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { countedNeed } from '../../src/core/market/bid.ts'
import { mechanismNames } from '../../src/core/market/mechanism-names.ts'
import { mechanisms } from '../../src/core/market/mechanisms.ts'
import { millicores } from '../../src/core/units.ts'
import { cleared, congestedMarket } from '../markets.ts'
import { formShares, makeWork, solvers } from './baselines.ts'
import { clearPlainly, makePlainWork } from './plain-clearing.ts'
import { podMarkets, weightKinds } from './pod-markets.ts'

void describe('bench baselines', () => {
  for (const mechanism of mechanismNames) {
    for (const [name, solve] of Object.entries(solvers)) {
      void test(`${mechanism}: ${name} agrees to 1e-9 of capacity before rounding`, () => {
        fc.assert(
          fc.property(congestedMarket, ({ capacity, bids }) => {
            const caps = Float64Array.from(bids, (bid) => countedNeed(bid) - bid.floor)
            const weights = Float64Array.from(bids, ({ weight }) => weight)
            const amount = capacity - bids.reduce((sum, { floor }) => sum + floor, 0)
            const vessels = { count: bids.length, amount, slopes: weights.slice(), caps }
            mechanisms[mechanism].setSlopes(vessels, weights)
            const level = solve(vessels, makeWork(bids.length))
            const shares = formShares(vessels, level, new Float64Array(bids.length))
            const { exact } = cleared(capacity, bids, { mechanism })
            for (const [i, { floor }] of bids.entries()) {
              const off = Math.abs(floor + (shares[i] ?? NaN) - (exact[i] ?? NaN))
              assert.ok(off <= 1e-9 * capacity, `bid ${i} is off by ${off}`)
            }
          }),
        )
      })
    }

    void test(`${mechanism}: giving units from a heap ends in the same whole amounts`, () => {
      fc.assert(
        fc.property(congestedMarket, ({ capacity, bids }) => {
          const market = { capacity: millicores(capacity), bids }
          const { amounts } = clearPlainly(market, mechanism, makePlainWork(bids.length))
          assert.deepEqual(amounts, cleared(capacity, bids, { mechanism }).amounts)
        }),
      )
    })
  }

  for (const weights of weightKinds) {
    void test(`the bench's markets of ${weights} weights are congested`, () => {
      for (const { capacity, bids } of podMarkets({ markets: 20, pods: 110, weights })) {
        assert.equal(cleared(capacity, bids).mode, 'congested')
      }
    })
  }
})
