import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { readyCores } from './bursts.ts'

void describe('what keeps bursts from waiting', () => {
  each(
    [
      { name: 'is the demand itself, if that is steady', demand: 0.4, variance: 0, gives: 0.4 },
      { name: 'is more where demand varies', demand: 0.4, variance: 0.04, gives: 0.516 },
      {
        name: 'is mostly for bursts where demand is small',
        demand: 0.1,
        variance: 0.04,
        gives: 0.3,
      },
      { name: 'is nothing for who is idle', demand: 0, variance: 0, gives: 0 },
    ],
    ({ demand, variance, gives }) =>
      assert.ok(Math.abs(readyCores(demand, variance) - gives) < 0.001),
  )

  void test('is at least the demand, and more the more it varies', () => {
    const amount = fc.double({ min: 0, max: 64, noNaN: true })
    fc.assert(
      fc.property(amount, amount, amount, (demand, variance, more) => {
        const ready = readyCores(demand, variance)
        assert.ok(ready >= demand - 1e-9)
        assert.ok(readyCores(demand, variance + more) >= ready)
      }),
    )
  })
})
