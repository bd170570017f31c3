import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { CpuReading } from './reading.ts'
import { track, type Tracked } from './tracker.ts'

/** A reading after so many seconds of so many cores, throttled for the rest of every period. */
const reading = (second: number, cores: number, waited = 0): CpuReading => ({
  atMicros: second * 1_000_000,
  usageMicros: Math.round(second * cores * 1_000_000),
  periods: second * 10,
  throttledPeriods: waited > 0 ? second * 10 : 0,
  throttledMicros: Math.round(second * waited * 1_000_000),
  quotaMicros: 20_000,
  periodMicros: 100_000,
  weight: 1024,
})

const follow = (readings: readonly CpuReading[]): Tracked | undefined => {
  let tracked: Tracked | undefined
  for (const next of readings) tracked = track(tracked, next, 2)
  return tracked
}

void describe('tracking a container', () => {
  void test('one reading is no demand yet', () => {
    assert.equal(follow([reading(1, 0.1)])?.demandCores, undefined)
  })

  void test('two readings are', () => {
    const tracked = follow([reading(1, 0.1), reading(2, 0.1)])
    assert.ok(Math.abs((tracked?.demandCores ?? 0) - 0.1) < 1e-9)
    assert.equal(tracked?.dropped, undefined)
  })

  void test('a throttled container wants twice its quota at most', () => {
    const tracked = follow([reading(1, 0.2, 0.9), reading(2, 0.2, 0.9)])
    assert.ok(Math.abs((tracked?.demandCores ?? 0) - 0.4) < 1e-9)
  })

  void test('a restart keeps the demand, says why, and the next reading counts again', () => {
    const before = follow([reading(1, 0.1), reading(2, 0.1)])
    const restarted = track(before, { ...reading(3, 0), usageMicros: 10 }, 2)
    assert.equal(restarted.demandCores, before?.demandCores)
    assert.match(restarted.dropped ?? '', /went back/)
    const next = track(restarted, { ...reading(4, 0), usageMicros: 500_010, periods: 40 }, 2)
    assert.equal(next.dropped, undefined)
    assert.equal(next.rates?.usageCores, 0.5)
  })
})
