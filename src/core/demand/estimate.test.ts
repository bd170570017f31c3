import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { DOWN_SECONDS, rawDemand, smooth, UP_SECONDS } from './estimate.ts'

void describe('raw demand', () => {
  each(
    [
      {
        name: 'not throttled, usage is the demand',
        usage: 0.15,
        waited: 0,
        limit: 0.5,
        gives: 0.15,
      },
      { name: 'throttled, the wait counts too', usage: 0.2, waited: 0.1, limit: 0.2, gives: 0.3 },
      {
        name: 'a queue counts for at most twice the limit',
        usage: 0.2,
        waited: 3,
        limit: 0.2,
        gives: 0.4,
      },
      { name: 'or twice the usage', usage: 0.5, waited: 3, limit: 0.2, gives: 1 },
    ],
    ({ usage, waited, limit, gives }) => {
      const rates = { seconds: 1, throttledRatio: 0, usageCores: usage }
      const demand = rawDemand({ ...rates, throttledCores: waited, limitCores: limit })
      assert.ok(Math.abs(demand - gives) < 1e-12, `${demand}`)
    },
  )
})

void describe('smoothing', () => {
  const after = (from: number, to: number, samples: number, seconds: number): number => {
    let value = from
    for (let i = 0; i < samples; i += 1) value = smooth(value, to, seconds / samples)
    return value
  }

  void test('the first value counts in full', () => assert.equal(smooth(undefined, 0.7, 1), 0.7))

  void test('63 % of the way up after a second, and of the way down after fifteen', () => {
    const part = 1 - Math.exp(-1)
    assert.ok(Math.abs(smooth(0, 1, UP_SECONDS) - part) < 1e-12)
    assert.ok(Math.abs(smooth(1, 0, DOWN_SECONDS) - (1 - part)) < 1e-12)
  })

  void test('never leaves the span, and the sampling interval does not matter', () => {
    const cores = fc.double({ min: 0, max: 64, noNaN: true })
    const seconds = fc.double({ min: 0.1, max: 100, noNaN: true })
    fc.assert(
      fc.property(cores, cores, seconds, (from, to, seconds) => {
        const once = smooth(from, to, seconds)
        assert.ok(once >= Math.min(from, to) && once <= Math.max(from, to))
        assert.ok(Math.abs(once - after(from, to, 7, seconds)) < 1e-9)
      }),
    )
  })
})
