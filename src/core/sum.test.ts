import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { exactSum } from './sum.ts'

void describe('core/sum', () => {
  each(
    [
      { name: 'nothing is 0', values: [], sum: 0 },
      { name: 'tenths do not drift', values: [0.1, 0.2, 0.3], sum: 0.6 },
      { name: 'a large value does not swallow a small one', values: [1e16, 1, -1e16], sum: 1 },
      { name: 'small weights beside large ones count', values: [1e6, 1e-6, -1e6], sum: 1e-6 },
    ],
    ({ values, sum }) => assert.equal(exactSum(Float64Array.from(values)), sum),
  )

  void test('the order of the values does not matter, to the last bit', () => {
    const weight = fc.double({ min: 1e-9, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(fc.array(weight, { maxLength: 200 }), (weights) => {
        const sums = [weights, weights.toReversed(), weights.toSorted((a, b) => a - b)]
        assert.equal(new Set(sums.map((order) => exactSum(Float64Array.from(order)))).size, 1)
      }),
    )
  })
})
