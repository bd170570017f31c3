import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { appetiteOf, followLevel, type Level, noLevel } from './level.ts'
import type { DemandSample } from './sample.ts'

const sample = (of: Partial<DemandSample> = {}): DemandSample => ({
  seconds: 0.25,
  usageCores: 0.2,
  throttledPeriods: 0,
  throttledCores: 0,
  waitedCores: 0,
  quotaCores: undefined,
  parallelism: 4,
  ...of,
})

const follow = (samples: readonly DemandSample[], from: Level = noLevel): Level =>
  samples.reduce(followLevel, from)

const times = (count: number, of: Partial<DemandSample>): DemandSample[] =>
  Array.from({ length: count }, () => sample(of))

/** At 0.2 cores for long. */
const settled = follow(times(40, {}))
const near = (a: number, b: number, tolerance = 1e-6): boolean => Math.abs(a - b) <= tolerance

void describe('appetite', () => {
  each<{ name: string; of: Partial<DemandSample>; gives: number }>(
    [
      { name: 'is what is used and waited for', of: { waitedCores: 0.1 }, gives: 0.3 },
      { name: 'counts waiting for quota too', of: { throttledCores: 0.15 }, gives: 0.35 },
      { name: 'is at most twice what it used', of: { waitedCores: 3 }, gives: 0.4 },
      {
        name: 'is at most twice its quota, where that is more',
        of: { throttledCores: 3, quotaCores: 0.5 },
        gives: 1,
      },
      {
        name: 'is at most the CPUs or threads that there are',
        of: { usageCores: 0.9, waitedCores: 1, parallelism: 1 },
        gives: 1,
      },
    ],
    ({ of, gives }) => assert.ok(near(appetiteOf(sample(of)), gives)),
  )
})

void describe('a group that nothing holds back', () => {
  void test('wants what it uses', () => {
    assert.ok(near(settled.demand, 0.2) && near(settled.estimate, 0.2) && near(settled.variance, 0))
  })

  void test('is followed up and down within seconds', () => {
    const up = follow(times(12, { usageCores: 0.8 }), settled)
    assert.ok(near(up.demand, 0.8, 0.05) && near(up.estimate, 0.8, 0.1), `${up.estimate}`)
    const down = follow(times(12, { usageCores: 0.1 }), up)
    assert.ok(near(down.demand, 0.1, 0.05), `${down.demand}`)
  })

  void test('whose use exceeds its quota for half a second, on burst, is believed at once', () => {
    const burst = follow(times(2, { usageCores: 0.9, quotaCores: 0.3 }), settled)
    assert.ok(near(burst.demand, 0.9), `${burst.demand}`)
  })
})

void describe('a group that is held back', () => {
  each<{ name: string; of: Partial<DemandSample> }>(
    [
      {
        name: 'by its quota asks for twice that at most, at once, and is not thought to want less',
        of: { throttledPeriods: 2, throttledCores: 3.4, quotaCores: 0.2 },
      },
      {
        name: 'by others asks for twice its use at most, at once, and is not thought to want less',
        of: { waitedCores: 2 },
      },
    ],
    ({ of }) => {
      const once = follow([sample(of)], settled)
      assert.deepEqual([near(once.estimate, 0.4), near(once.demand, 0.2)], [true, true])
      const squeezed = follow(times(20, { ...of, usageCores: 0.1, quotaCores: 0.1 }), once)
      assert.ok(near(squeezed.demand, 0.2), `${squeezed.demand}`)
      assert.ok(squeezed.estimate >= 0.2, `${squeezed.estimate}`)
    },
  )

  void test('for a tenth of its use is not: that is what sharing a CPU comes to', () => {
    const shared = follow([sample({ usageCores: 0.1, waitedCores: 0.01 })], settled)
    assert.ok(shared.demand < 0.2)
  })

  void test('learns that it wants more as more gets through', () => {
    const raised = follow(times(20, { usageCores: 0.6, waitedCores: 0.6 }), settled)
    assert.ok(near(raised.demand, 0.6, 0.01) && near(raised.estimate, 1.2), `${raised.estimate}`)
  })
})

void describe('after it was held back', () => {
  const held = follow(times(8, { waitedCores: 1 }), settled)

  void test('the backlog that drains at full speed does not lower its demand', () => {
    const draining = follow(times(3, { usageCores: 4 }), held)
    assert.ok(draining.drain !== undefined && draining.estimate >= held.estimate)
  })

  void test('its demand is what comes when the backlog is gone', () => {
    const samples = [...times(3, { usageCores: 4 }), sample({ usageCores: 1.7 })]
    const drained = follow([...samples, ...times(4, { usageCores: 0.3 })], held)
    assert.equal(drained.drain, undefined)
    assert.ok(near(drained.demand, 0.3, 0.02) && near(drained.estimate, 0.3, 0.05))
  })

  void test('a speed that lasts is its load, not its backlog', () => {
    const lasting = follow(times(16, { usageCores: 2 }), held)
    assert.equal(lasting.drain, undefined)
    assert.ok(near(lasting.estimate, 2, 0.1), `${lasting.estimate}`)
  })
})

void test('no sample makes a level that is no number, negative, or more than there is', () => {
  const cores = fc.double({ min: 0, max: 4, noNaN: true })
  const any = fc.record({
    seconds: fc.constantFrom(0.1, 0.25, 1, 10),
    usageCores: cores,
    throttledPeriods: fc.nat(10),
    throttledCores: cores,
    waitedCores: cores,
    quotaCores: fc.option(cores, { nil: undefined }),
    parallelism: fc.constantFrom(1, 4),
  })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 60 }), (samples) => {
      const { demand, estimate, variance } = follow(samples)
      for (const amount of [demand, estimate]) assert.ok(amount >= 0 && amount <= 8, `${amount}`)
      assert.ok(variance >= 0 && variance <= 16)
    }),
  )
})
