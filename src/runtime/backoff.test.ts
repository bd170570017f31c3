import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { backoffAfter, jittered } from './backoff.ts'

void describe('runtime/backoff', () => {
  const limits = { first: 5, longest: 1_000_000 }
  each(
    [
      { name: 'the first failure waits shortest', failures: 1, wait: 5 },
      { name: 'each failure doubles the wait', failures: 4, wait: 40 },
      { name: 'the 18th is the last that doubles', failures: 18, wait: 655_360 },
      { name: 'the wait is bounded', failures: 19, wait: 1_000_000 },
      { name: 'the wait is bounded where doubling overflows', failures: 5000, wait: 1_000_000 },
    ],
    ({ failures, wait }) => assert.equal(backoffAfter(limits, failures), wait),
  )

  void test('jitter only lengthens, up to its factor', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (draw) => {
        const wait = jittered(2000, 1.2, () => draw)
        assert.ok(wait >= 2000 && wait <= 2400)
      }),
      { seed: 4 },
    )
  })
})
