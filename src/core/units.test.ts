import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { bytes, millicores, minus, plus, split, sumOfAll } from './units.ts'

void describe('core/units', () => {
  each(
    [
      {
        name: 'thirds round the running total',
        total: 100,
        weights: [1, 1, 1],
        gives: [33, 34, 33],
      },
      {
        name: 'a weight of zero gets nothing',
        total: 10,
        weights: [0, 3, 1, 0],
        gives: [0, 8, 2, 0],
      },
      { name: 'nothing to split among nobody', total: 0, weights: [], gives: [] },
      { name: 'zero splits into zeros', total: 0, weights: [0, 2], gives: [0, 0] },
      { name: 'a debt splits like a credit', total: -10, weights: [1, 1], gives: [-5, -5] },
    ],
    ({ total, weights, gives }) => {
      assert.deepEqual(split(millicores(total), weights), gives)
    },
  )

  void test('parts sum to the total, each less than 1 from its share', () => {
    const weights = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), weights, (total, weights) => {
        const parts = split(millicores(total), weights)
        assert.equal(
          parts.reduce((a, b) => a + b, 0),
          total,
        )
        const sum = weights.reduce((a, b) => a + b, 0)
        for (const [i, part] of parts.entries()) {
          const share = (total * (weights[i] ?? 0)) / sum
          assert.ok(Math.abs(part - share) < 1 + 1e-6, `part ${i} is ${part}, its share ${share}`)
        }
      }),
    )
  })

  void test('a split that cannot be made is refused', () => {
    assert.throws(
      () => split(millicores(7), []),
      /splitting 7: expected weights with a positive sum/,
    )
    assert.throws(() => split(millicores(7), [1, -1]), /expected weight 1 to be 0 or more, got -1/)
    assert.throws(() => split(millicores(7), [NaN]), /expected weight 0 to be 0 or more, got NaN/)
  })

  void test('only whole numbers get a unit', () => {
    assert.throws(() => millicores(1.5), /expected a whole number of millicores, got 1.5/)
    assert.throws(() => bytes(NaN), /expected a whole number of bytes, got NaN/)
    assert.ok(Object.is(millicores(-0), 0))
  })

  void test('a sum of which a part is not known is not known', () => {
    assert.equal(sumOfAll([millicores(1), millicores(2)]), 3)
    assert.equal(sumOfAll([millicores(1), undefined]), undefined)
    assert.equal(sumOfAll([]), 0)
  })

  void test('units do not mix', () => {
    assert.equal(plus(millicores(1), millicores(2)), 3)
    assert.equal(minus(millicores(1), millicores(2)), -1)
    // @ts-expect-error a sum of millicores and bytes means nothing
    assert.equal(plus(millicores(1), bytes(2)), 3)
  })
})
