import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { shareFree, type Wish } from './share-free.ts'

const wishes = (...amounts: readonly number[]): Wish[] =>
  amounts.map((wish, i) => ({ id: `pod-${i}`, wish, distance: wish }))

void describe('core/stability/share-free', () => {
  each(
    [
      {
        name: 'the largest remainders round up',
        free: 10,
        to: wishes(10, 20, 30),
        gives: [2, 3, 5],
      },
      { name: 'ties go by id', free: 1, to: wishes(5, 5), gives: [1, 0] },
      {
        name: 'before the id the distance decides',
        free: 1,
        to: [
          { id: 'a', wish: 5, distance: 6 },
          { id: 'b', wish: 5, distance: 7 },
        ],
        gives: [0, 1],
      },
      { name: 'enough for all', free: 90, to: wishes(10, 20, 30), gives: [10, 20, 30] },
      { name: 'nothing for all', free: 0, to: wishes(10, 0), gives: [0, 0] },
      {
        name: 'products beyond a double are exact',
        free: 2 ** 52 + 1,
        to: wishes(2 ** 51 + 1, 2 ** 51 + 1, 2 ** 51),
        gives: [1_501_199_875_790_166, 1_501_199_875_790_166, 1_501_199_875_790_165],
      },
    ],
    ({ free, to, gives }) => assert.deepEqual(shareFree(free, to), gives),
  )

  void test('all that is free is given, each its quota rounded up or down, none above its wish', () => {
    const problem = fc.tuple(fc.nat(500), fc.array(fc.nat(100), { maxLength: 6 }))
    fc.assert(
      fc.property(problem, ([free, amounts]) => {
        const shares = shareFree(free, wishes(...amounts))
        const wished = amounts.reduce((a, b) => a + b, 0)
        const given = Math.min(free, wished)
        assert.equal(
          shares.reduce((a, b) => a + b, 0),
          given,
        )
        for (const [i, share] of shares.entries()) {
          const wish = amounts[i] ?? NaN
          assert.ok(share <= wish)
          assert.ok(Math.abs(share * wished - wish * given) < Math.max(wished, 1))
        }
      }),
    )
  })
})
