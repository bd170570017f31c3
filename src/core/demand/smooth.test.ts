import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { smooth, usualSmoothing } from './smooth.ts'

const smoothed = (before: number | undefined, raw: number, seconds: number): number =>
  smooth(before, { raw, seconds }, usualSmoothing)

void describe('smoothing', () => {
  const after = (from: number, to: number, samples: number, seconds: number): number => {
    let value = from
    for (let i = 0; i < samples; i += 1) value = smoothed(value, to, seconds / samples)
    return value
  }

  void test('the first value counts in full', () => assert.equal(smoothed(undefined, 0.7, 1), 0.7))

  void test('of a step up 30 % show after a second, of a step down 10 %', () => {
    assert.equal(smoothed(0, 1, 1).toFixed(3), '0.300')
    assert.equal(smoothed(1, 0, 1).toFixed(3), '0.900')
  })

  void test('without a time constant the raw value counts', () =>
    assert.equal(smooth(1, { raw: 3, seconds: 0.1 }, { upSeconds: 0, downSeconds: 9 }), 3))

  void test('never leaves the span, and the sampling interval does not matter', () => {
    const cores = fc.double({ min: 0, max: 64, noNaN: true })
    const seconds = fc.double({ min: 0.1, max: 100, noNaN: true })
    fc.assert(
      fc.property(cores, cores, seconds, (from, to, seconds) => {
        const once = smoothed(from, to, seconds)
        assert.ok(once >= Math.min(from, to) && once <= Math.max(from, to))
        assert.ok(Math.abs(once - after(from, to, 7, seconds)) < 1e-9)
      }),
    )
  })
})
