import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { addPeriods, throttledRatioOf, type ThrottleWindow } from './throttle-window.ts'

type Sample = readonly [periods: number, throttled: number, seconds?: number]

const ratioAfter = (samples: readonly Sample[]): number => {
  let window: ThrottleWindow = []
  for (const [periods, throttledPeriods, seconds = 1] of samples) {
    window = addPeriods(window, { seconds, periods, throttledPeriods })
  }
  return throttledRatioOf(window)
}

void describe('the last 20 periods', () => {
  each<{ name: string; samples: readonly Sample[]; gives: number }>(
    [
      { name: 'none are free of throttling', samples: [], gives: 0 },
      {
        name: 'two samples of ten',
        samples: [
          [10, 0],
          [10, 2],
        ],
        gives: 0.1,
      },
      { name: 'one bad period alone is one of 20', samples: [[2, 1]], gives: 0.05 },
      {
        name: 'what is before them is gone',
        samples: [
          [10, 9],
          [10, 0],
          [10, 0],
        ],
        gives: 0,
      },
      {
        name: 'samples are kept whole',
        samples: [
          [3, 3],
          [3, 0],
          [10, 0],
          [5, 0],
        ],
        gives: 3 / 21,
      },
      {
        name: 'a sleeper forgets',
        samples: [
          [10, 10],
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
        ],
        gives: 0,
      },
    ],
    ({ samples, gives }) => assert.ok(Math.abs(ratioAfter(samples) - gives) < 1e-12),
  )

  void test('the ratio is one, and the window does not grow', () => {
    const sample = fc
      .tuple(fc.nat(30), fc.nat(30), fc.double({ min: 0.02, max: 3, noNaN: true }))
      .map(([a, b, seconds]) => ({
        seconds,
        periods: Math.max(a, b),
        throttledPeriods: Math.min(a, b),
      }))
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 300 }), (samples) => {
        let window: ThrottleWindow = []
        for (const one of samples) {
          window = addPeriods(window, one)
          const ratio = throttledRatioOf(window)
          assert.ok(ratio >= 0 && ratio <= 1)
          assert.ok(window.reduce((sum, { periods }) => sum + periods, 0) < 20 + 30)
          assert.ok(window.length <= 1 + 4 / 0.02)
        }
      }),
    )
  })
})
