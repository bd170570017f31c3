import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

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

/** A CPU until `last`, and nothing after it. */
const stepped = (second: number, last: number): CpuReading =>
  Object.assign(reading(second, 0), {
    quotaMicros: null,
    usageMicros: Math.min(second, last) * 1_000_000,
  })

const follow = (readings: readonly CpuReading[]): Tracked | undefined => {
  let tracked: Tracked | undefined
  for (const next of readings) tracked = track(tracked, next, { cpus: 2 })
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

  void test('means weigh every moment alike, and forget what is older than they are long', () => {
    const risen = follow([reading(0, 0), reading(5, 0), reading(11, 0.5)])
    const used = (0.5 * 11) / 11
    assert.ok(Math.abs((risen?.minute?.value ?? 0) - used) < 1e-9)
    const seconds = Array.from({ length: 240 }, (_, i) => i + 1)
    const ended = follow(seconds.map((second) => stepped(second, 120)))
    assert.ok((ended?.minute?.value ?? 1) < 0.15, `${ended?.minute?.value}`)
    assert.ok(Math.abs((ended?.tenMinutes?.value ?? 0) - 0.5) < 0.01, `${ended?.tenMinutes?.value}`)
  })

  void test('a throttled container wants twice its quota at most', () => {
    const tracked = follow([reading(1, 0.2, 0.9), reading(2, 0.2, 0.9)])
    assert.ok(Math.abs((tracked?.demandCores ?? 0) - 0.4) < 1e-9)
  })

  void test('a container that waits for a CPU wants more than it used', () => {
    const free = (second: number) => ({ ...reading(second, 0.2), quotaMicros: null })
    const of = (waitedCores?: number) =>
      track(track(undefined, free(1), { cpus: 2 }), free(2), {
        cpus: 2,
        ...(waitedCores === undefined ? {} : { waitedCores }),
      })
    assert.deepEqual([of().waitedCores, of(0.1).waitedCores, of(9).waitedCores], [0, 0.1, 2])
    const wants = [of(), of(0.1), of(9)].map(({ level }) =>
      Math.round((level?.estimate ?? 0) * 1000),
    )
    assert.deepEqual(wants, [200, 300, 400])
  })

  void test('what keeps bursts from waiting is more than the demand of a load that varies', () => {
    const steps = Array.from({ length: 240 }, (_, i) => i)
    const usageOf = (step: number) => Math.floor(step / 2) * 0.25 * 1e6
    const bursty = steps.map((step): CpuReading => {
      const usageMicros = usageOf(step)
      return Object.assign(reading(step / 4, 0), { quotaMicros: null, usageMicros })
    })
    const tracked = follow(bursty)
    // A CPU in every second quarter of a second: half a CPU on average, of which a minute shows most.
    const { minute, ready } = tracked ?? assert.fail()
    const [used, readyCores] = [minute?.value ?? 0, ready?.value ?? 0]
    assert.ok(used > 0.3 && used <= 0.5, `${used}`)
    assert.ok(readyCores > 1.3 * used, `${readyCores}`)
  })

  void test('a gap too long to say anything is dropped and counted, and the state goes on', () => {
    const before = follow([reading(1, 0.1), reading(2, 0.1)])
    const late = track(before, reading(62, 0.1), { cpus: 2 })
    assert.match(late.dropped?.dropped ?? '', /expected up to 10 s since the sample before, got 60/)
    assert.deepEqual([late.level, late.droppedSamples], [before?.level, 1])
    const next = track(late, reading(63, 0.1), { cpus: 2 })
    assert.deepEqual([next.dropped, next.droppedSamples], [undefined, 1])
  })

  void test('one thread is never said to want more than one CPU', () => {
    const first = { ...reading(1, 0.9, 1.9), quotaMicros: 90_000 }
    const second = { ...reading(2, 0.9, 1.9), quotaMicros: 90_000 }
    const of = (threads?: number) =>
      track(track(undefined, first, { cpus: 4 }), second, {
        cpus: 4,
        ...(threads === undefined ? {} : { threads }),
      }).level?.estimate
    assert.deepEqual([of(1), of()], [1, 1.8])
  })

  void test('resets, gaps, clocks that step and broken counters give no wild value, and are counted', () => {
    const counter = fc.oneof(fc.nat(5_000_000), fc.maxSafeNat(), fc.constantFrom(NaN, -1, Infinity))
    const any = fc.record({
      atMicros: counter,
      usageMicros: counter,
      periods: counter,
      throttledPeriods: counter,
      throttledMicros: counter,
      quotaMicros: fc.option(fc.oneof(fc.integer({ min: 1000, max: 1e7 }), fc.constant(NaN))),
      periodMicros: fc.constant(100_000),
      weight: fc.constant(100),
    })
    const sound = fc.record({ second: fc.integer({ min: 1, max: 60 }), cores: fc.constant(0.5) })
    const readings = fc.array(
      fc.oneof(
        any,
        sound.map(({ second, cores }) => reading(second, cores, 0.5)),
      ),
      { minLength: 2, maxLength: 60 },
    )
    fc.assert(
      fc.property(readings, (all) => {
        let tracked: Tracked | undefined
        let dropped = 0
        for (const next of all) {
          const before = tracked
          tracked = track(before, next, { cpus: 2 })
          if (tracked.dropped !== undefined) {
            dropped += 1
            assert.deepEqual(
              [tracked.level, tracked.demandCores],
              [before?.level, before?.demandCores],
            )
          }
          assert.equal(tracked.droppedSamples, dropped)
          const { demandCores = 0, minute, tenMinutes, ready, level } = tracked
          const readyCores = ready?.value ?? 0
          const means = [minute?.value ?? 0, tenMinutes?.value ?? 0]
          const amounts = [demandCores, ...means, level?.estimate ?? 0, level?.demand ?? 0]
          for (const amount of amounts) assert.ok(amount >= 0 && amount <= 6, `${amount}`)
          // A burst of all CPUs from nothing varies by all of them.
          assert.ok(readyCores >= 0 && readyCores <= 8, `${readyCores}`)
        }
      }),
      { numRuns: 500 },
    )
  })

  void test('a restart keeps the demand, says why, and the next reading counts again', () => {
    const before = follow([reading(1, 0.1), reading(2, 0.1)])
    const restarted = track(before, { ...reading(3, 0), usageMicros: 10 }, { cpus: 2 })
    assert.equal(restarted.demandCores, before?.demandCores)
    assert.match(restarted.dropped?.dropped ?? '', /went back/)
    const after = { ...reading(4, 0), usageMicros: 500_010, periods: 40 }
    const next = track(restarted, after, { cpus: 2 })
    assert.equal(next.droppedSamples, 1)
    assert.equal(next.dropped, undefined)
    assert.equal(next.rates?.usageCores, 0.5)
  })
})
