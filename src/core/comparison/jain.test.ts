import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { jainIndex } from './jain.ts'

void describe('Jain index', () => {
  each(
    [
      { name: 'alike is 1', shares: [0.4, 0.4, 0.4], gives: 1 },
      { name: 'one of three has all', shares: [1, 0, 0], gives: 1 / 3 },
      { name: 'a half beside a whole', shares: [1, 0.5], gives: 0.9 },
      { name: 'nobody is treated unfairly', shares: [], gives: 1 },
    ],
    ({ shares, gives }) => assert.ok(Math.abs(jainIndex(shares) - gives) < 1e-12),
  )

  void test('it lies between 1/n and 1, whatever the scale', () => {
    const shares = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(shares, (given) => {
        const index = jainIndex(given)
        assert.ok(index <= 1 + 1e-12 && index >= 1 / given.length - 1e-12)
        assert.ok(Math.abs(jainIndex(given.map((share) => 7 * share)) - index) < 1e-9)
      }),
    )
  })
})
