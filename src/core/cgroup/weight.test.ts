import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { conversions, requestShares, sharesOfWeight, weightOfShares } from './weight.ts'

void describe('shares and weights', () => {
  each(
    [
      { name: 'the least', shares: 2, weight: 1 },
      { name: 'below the least', shares: 0, weight: 1 },
      { name: '100m of a core', shares: 102, weight: 4 },
      { name: 'a core', shares: 1024, weight: 39 },
      { name: 'two cores', shares: 2048, weight: 79 },
      { name: 'the most', shares: 262_144, weight: 10_000 },
      { name: 'above the most', shares: 1_000_000, weight: 10_000 },
    ],
    ({ shares, weight }) => assert.equal(weightOfShares(shares), weight),
  )

  void test('every weight survives the way to shares and back', () => {
    for (let weight = 1; weight <= 10_000; weight += 1) {
      assert.equal(weightOfShares(sharesOfWeight(weight)), weight)
      if (weight > 1) assert.equal(weightOfShares(sharesOfWeight(weight) - 1), weight - 1)
    }
  })
})

void describe('the conversion of newer runtimes', () => {
  each(
    [
      { name: 'bends at the least', shares: 2, weight: 1 },
      { name: 'takes less than the least for it', shares: 0, weight: 1 },
      { name: 'gives 3 shares more than 2', shares: 3, weight: 2 },
      { name: 'gives 100m of a core 17', shares: 102, weight: 17 },
      { name: 'meets the default', shares: 1024, weight: 100 },
      { name: 'gives two cores less than twice that', shares: 2048, weight: 174 },
      { name: 'ends at the most', shares: 262_144, weight: 10_000 },
      { name: 'takes more than the most for it', shares: 1_000_000, weight: 10_000 },
    ],
    ({ shares, weight }) => assert.equal(conversions.quadratic(shares), weight),
  )

  void test('never falls, and is never below the line', () => {
    let last = 0
    for (let shares = 2; shares <= 262_144; shares += 7) {
      const weight = conversions.quadratic(shares)
      assert.ok(weight >= last && weight >= conversions.linear(shares), String(shares))
      last = weight
    }
  })
})

each(
  [
    { name: 'nothing requested has the least shares', millicores: 0, shares: 2 },
    { name: '1m has the least shares', millicores: 1, shares: 2 },
    { name: '3m has 3 shares', millicores: 3, shares: 3 },
    { name: '100m have 102 shares', millicores: 100, shares: 102 },
    { name: 'a core has 1024 shares', millicores: 1000, shares: 1024 },
    { name: '300 cores have the most shares', millicores: 300_000, shares: 262_144 },
  ],
  ({ millicores, shares }) => assert.equal(requestShares(millicores), shares),
)
