import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../each.ts'
import { intervalOf, jainIndex, quantile } from './statistics.ts'

const rounded = (value: number | undefined) =>
  value === undefined ? undefined : Number(value.toFixed(3))

void describe('an interval', () => {
  each(
    [
      { name: 'five values', values: [1, 2, 3, 4, 5], gives: [3, 1.037, 4.963] },
      { name: 'equal values leave no doubt', values: [10, 10], gives: [10, 10, 10] },
      {
        name: 'one value tells nothing of its error',
        values: [7],
        gives: [7, undefined, undefined],
      },
    ],
    ({ values, gives }) => {
      const { mean, low, high } = intervalOf(values)
      assert.deepEqual([mean, low, high].map(rounded), gives)
    },
  )
})

void describe("Jain's index", () => {
  each(
    [
      { name: 'is 1 for equal parts', parts: [0.7, 0.7, 0.7], gives: 1 },
      { name: 'is 1/n when one has all', parts: [1, 0, 0, 0], gives: 0.25 },
      { name: 'falls with the difference', parts: [1, 0.5], gives: 0.9 },
      { name: 'is 1 when nobody has anything', parts: [0, 0], gives: 1 },
    ],
    ({ parts, gives }) => assert.equal(rounded(jainIndex(parts)), gives),
  )

  void test('does not depend on the unit, and lies from 1/n to 1', () => {
    const parts = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(parts, fc.double({ min: 0.1, max: 10, noNaN: true }), (some, factor) => {
        const index = jainIndex(some)
        assert.ok(index >= 1 / some.length - 1e-9 && index <= 1 + 1e-9)
        assert.ok(Math.abs(index - jainIndex(some.map((part) => part * factor))) < 1e-9)
      }),
    )
  })
})

void test('a quantile is a value that was measured; of none there is none', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
  assert.deepEqual(
    [0, 0.5, 0.99, 1].map((ratio) => quantile(hundred, ratio)),
    [1, 51, 100, 100],
  )
  assert.equal(quantile([], 0.5), undefined)
})
