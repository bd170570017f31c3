import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { type CpuRates, ratesBetween } from './rates.ts'
import type { CpuReading } from './reading.ts'

const start: CpuReading = {
  atMicros: 5_000_000,
  usageMicros: 3_000_000,
  periods: 40,
  throttledPeriods: 4,
  throttledMicros: 200_000,
  quotaMicros: 20_000,
  periodMicros: 100_000,
  weight: 1024,
}
const later = (by: Partial<CpuReading>): CpuReading => ({
  ...start,
  atMicros: start.atMicros + (by.atMicros ?? 1_000_000),
  usageMicros: start.usageMicros + (by.usageMicros ?? 0),
  periods: start.periods + (by.periods ?? 0),
  throttledPeriods: start.throttledPeriods + (by.throttledPeriods ?? 0),
  throttledMicros: start.throttledMicros + (by.throttledMicros ?? 0),
  quotaMicros: by.quotaMicros === undefined ? start.quotaMicros : by.quotaMicros,
})

void describe('rates', () => {
  const none: CpuRates = {
    seconds: 1,
    usageCores: 0,
    periods: 0,
    throttledPeriods: 0,
    throttledRatio: 0,
    throttledCores: 0,
    burstPeriods: 0,
    limitCores: 0.2,
  }
  each(
    [
      { name: 'nothing happened', by: {}, gives: none },
      {
        name: 'throttled half of the time',
        by: { usageMicros: 200_000, periods: 10, throttledPeriods: 5, throttledMicros: 400_000 },
        gives: {
          ...none,
          usageCores: 0.2,
          periods: 10,
          throttledPeriods: 5,
          throttledRatio: 0.5,
          throttledCores: 0.4,
        },
      },
      {
        name: 'without a limit',
        by: { usageMicros: 1_500_000, quotaMicros: null },
        gives: { ...none, usageCores: 1.5, limitCores: undefined },
      },
      {
        name: 'a wait booked late counts as no more than the CPUs there are',
        by: { throttledMicros: 9_000_000, periods: 1, throttledPeriods: 1 },
        gives: { ...none, periods: 1, throttledPeriods: 1, throttledRatio: 1, throttledCores: 2 },
      },
    ],
    ({ by, gives }) => assert.deepEqual(ratesBetween(start, later(by), 2), { rates: gives }),
  )

  each(
    [
      {
        name: 'a container that started anew',
        by: { usageMicros: -1 },
        says: /usageMicros went back/,
      },
      {
        name: 'periods that went back',
        by: { periods: -1 },
        says: /periods went back from 40 to 39/,
      },
      { name: 'no time passed', by: { atMicros: 0 }, says: /expected 20000 us .* got 0/ },
      { name: 'a clock that stepped back', by: { atMicros: -1_000_000 }, says: /got -1000000/ },
      { name: 'more than the machine has', by: { usageMicros: 9_000_000 }, says: /at most 2 CPUs/ },
      { name: 'no number', by: { usageMicros: NaN }, says: /usageMicros went back/ },
    ],
    ({ by, says }) => {
      const measured = ratesBetween(start, later(by), 2)
      assert.match('dropped' in measured ? measured.dropped : 'counted', says)
    },
  )

  void test('any two readings give rates within the machine, or none', () => {
    const counter = fc.oneof(fc.nat(100), fc.nat(), fc.maxSafeNat(), fc.constant(NaN))
    const reading = fc.record({
      atMicros: counter,
      usageMicros: counter,
      periods: counter,
      throttledPeriods: counter,
      throttledMicros: counter,
      quotaMicros: fc.option(fc.integer({ min: 1, max: 1e9 })),
      periodMicros: fc.integer({ min: 1000, max: 1_000_000 }),
      weight: fc.constant(100),
    })
    fc.assert(
      fc.property(reading, reading, fc.integer({ min: 1, max: 256 }), (before, after, cpus) => {
        const measured = ratesBetween(before, after, cpus)
        if ('dropped' in measured) return
        const { seconds, usageCores, throttledRatio, throttledCores } = measured.rates
        assert.ok(seconds > 0 && seconds < Infinity)
        assert.ok(usageCores >= 0 && usageCores <= 1.5 * cpus)
        assert.ok(throttledRatio >= 0 && throttledRatio <= 1)
        assert.ok(throttledCores >= 0 && throttledCores <= cpus)
      }),
      { numRuns: 2000 },
    )
  })
})
