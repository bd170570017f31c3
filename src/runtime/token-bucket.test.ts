import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { millis } from '../core/units.ts'
import { tokenBucket } from './token-bucket.ts'

void describe('runtime/token-bucket', () => {
  void test('a burst passes at once, the rest at the rate, and a pause fills the bucket again', () => {
    const bucket = tokenBucket({ perSecond: 10, burst: 2 })
    const waits = [0, 0, 0, 0, 0, 10_000, 10_000, 10_000].map((at) => bucket.reserve(millis(at)))
    assert.deepEqual(waits, [0, 0, 100, 200, 300, 0, 0, 100])
  })

  void test('no window holds more than the burst and its length at the rate', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(2000), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        (gaps, perSecond, burst) => {
          const bucket = tokenBucket({ perSecond, burst })
          let at = 0
          const dues = gaps.map((gap) => {
            at += gap
            return at + bucket.reserve(millis(at))
          })
          for (const [from, start] of dues.entries()) {
            for (const [to, end] of dues.entries()) {
              const most = burst + ((end - start) * perSecond) / 1000
              assert.ok(to < from || to - from + 1 <= most + 1e-6)
            }
          }
        },
      ),
      { seed: 4 },
    )
  })
})
