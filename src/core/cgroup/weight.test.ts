import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { sharesOfWeight, weightOfShares } from './weight.ts'

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
