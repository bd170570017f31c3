import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { type LawState, type LawStep, startLaw, stepLaw } from './law.ts'
import type { LawSample } from './sample.ts'
import { lawSettings } from './settings.ts'

const settings = lawSettings(0.25)

const sample = (over: Partial<LawSample> = {}): LawSample => ({
  seconds: 0.25,
  usageCores: 0.2,
  throttledPeriods: 0,
  throttledCores: 0,
  quotaCores: 0.5,
  parallelism: 4,
  floorCores: 0.01,
  ceilingCores: 4,
  ...over,
})

function step(state: LawState, of: LawSample): LawStep {
  const next = stepLaw(state, of, settings)
  assert.ok(!('dropped' in next), 'dropped' in next ? next.dropped : '')
  return next
}

const after = (samples: readonly LawSample[]): LawState =>
  samples.reduce((state, of) => step(state, of).state, startLaw)

const times = (count: number, of: LawSample): LawSample[] => Array.from({ length: count }, () => of)

const close = (got: number, expected: number): void =>
  assert.ok(Math.abs(got - expected) < 1e-9, `expected ${expected}, got ${got}`)

void describe('the control law', () => {
  const steady = (usageCores: number, quotaCores: number) =>
    after(times(240, sample({ usageCores, quotaCores })))
  const throttled = { throttledPeriods: 2, throttledCores: 0.9 }
  each<{ name: string; from?: LawState; of: Partial<LawSample>; wants: number; says: RegExp }>(
    [
      {
        name: 'throttled, doubles at most',
        of: { ...throttled, quotaCores: 0.2 },
        wants: 0.4,
        says: /^raised from 0.200 to 0.400: out of quota in 2 periods, used 0.200 and waited 0.900$/,
      },
      {
        name: 'throttled, takes the appetite if that is less',
        of: { ...throttled, throttledCores: 0.1, quotaCores: 0.2 },
        wants: 0.3,
        says: /raised from 0.200 to 0.300/,
      },
      {
        name: 'throttled on many CPUs, counts no more threads than there are',
        of: { ...throttled, usageCores: 0.8, throttledCores: 3, quotaCores: 0.8, parallelism: 1 },
        wants: 1,
        says: /to 1.000/,
      },
      {
        name: 'enough stays',
        from: steady(0.1, 0.12),
        of: { usageCores: 0.1, quotaCores: 0.12 },
        wants: 0.12,
        says: /kept at 0.120: it is enough/,
      },
      {
        name: 'too much goes down by a fifth',
        from: steady(0.1, 0.12),
        of: { usageCores: 0.1, quotaCores: 0.5 },
        wants: 0.4,
        says: /lowered from 0.500 to 0.400: 0.120 would do/,
      },
      {
        name: 'but not soon after throttling',
        from: after([...times(240, sample({ usageCores: 0.1 })), sample(throttled)]),
        of: { usageCores: 0.1 },
        wants: 0.5,
        says: /not lowered for 1.0 s/,
      },
      {
        name: 'use near the quota raises before it is throttled',
        from: steady(0.1, 0.12),
        of: { usageCores: 0.12, quotaCores: 0.1 },
        wants: 0.132,
        says: /what it uses, its swings and its head-room/,
      },
      {
        name: 'never above the ceiling',
        of: { ...throttled, quotaCores: 0.2, ceilingCores: 0.3 },
        wants: 0.3,
        says: /raised from 0.200 to 0.400.*, but its ceiling is 0.300$/,
      },
      {
        name: 'never below the floor',
        from: steady(0.1, 0.12),
        of: { usageCores: 0.1, quotaCores: 0.5, floorCores: 0.45 },
        wants: 0.45,
        says: /lowered from 0.500 to 0.400.*, but its floor is 0.450$/,
      },
      {
        name: 'without a limit says what would do',
        from: steady(0.1, 0.5),
        of: { usageCores: 0.1, quotaCores: undefined },
        wants: 0.12,
        says: /has no limit/,
      },
    ],
    ({ from = startLaw, of, wants, says }) => {
      const { quotaCores, burstCores, reason } = step(from, sample(of))
      assert.ok(Math.abs(quotaCores - wants) < 1e-3, `${quotaCores}`)
      assert.equal(burstCores, quotaCores)
      assert.match(reason, says)
    },
  )
})

void describe('demand and its estimate', () => {
  const pinned = sample({
    usageCores: 0.2,
    quotaCores: 0.2,
    throttledPeriods: 3,
    throttledCores: 0.8,
  })
  void test('a quota that is short does not lower demand, for however long', () => {
    const before = after(times(40, sample({ usageCores: 0.6, quotaCores: 0.8 })))
    const { demandCores, estimateCores } = step(
      times(400, pinned).reduce((state, of) => step(state, of).state, before),
      pinned,
    )
    close(demandCores, 0.6)
    assert.ok(estimateCores >= 0.6)
  })

  void test('a backlog that drains is not taken for demand, and the sample in which it ends neither', () => {
    const drain = sample({ usageCores: 0.95, quotaCores: 1 })
    const mixed = sample({ usageCores: 0.5, quotaCores: 1 })
    const free = sample({ usageCores: 0.3, quotaCores: 1 })
    const { estimateCores, demandCores } = step(
      after([...times(8, pinned), ...times(4, drain), mixed]),
      free,
    )
    close(estimateCores, 0.3)
    close(demandCores, 0.3)
  })

  void test('a drain that threads bound and not quota is one too', () => {
    const drain = sample({ usageCores: 1, quotaCores: 3 })
    const state = after([...times(8, pinned), ...times(4, drain)])
    assert.notEqual(state.level.drain, undefined)
  })

  void test('but a speed that lasts is the load', () => {
    const load = sample({ usageCores: 1, quotaCores: 3 })
    const { estimateCores } = step(after([...times(8, pinned), ...times(12, load)]), load)
    close(estimateCores, 1)
  })

  void test('by chance usage is low now and then, also soon after a backlog', () => {
    const swings = [0.3, 0.1, 0.4, 0.2].map((usageCores) => sample({ usageCores, quotaCores: 1 }))
    const mixed = sample({ usageCores: 0.5, quotaCores: 1 })
    const low = sample({ usageCores: 0.08, quotaCores: 1 })
    const { estimateCores } = step(after([...times(8, pinned), mixed, ...swings]), low)
    assert.ok(estimateCores > 0.2, `${estimateCores}`)
  })

  void test('a low sample after even ones ends a backlog that was taken for demand', () => {
    const drain = sample({ usageCores: 0.9, quotaCores: 2 })
    const { estimateCores } = step(
      after([...times(8, pinned), ...times(8, drain)]),
      sample({ usageCores: 0.3, quotaCores: 2 }),
    )
    close(estimateCores, 0.3)
  })

  void test('a late sample counts for as long as it is', () => {
    const free = (seconds: number, usageCores: number) => sample({ seconds, usageCores })
    close(after([free(0.25, 0.2), free(0.5, 0.2), free(0.05, 1)]).level.demand, 0.25)
  })

  void test('burst being eaten for half a second is demand at once', () => {
    const before = after(times(40, sample({ usageCores: 0.2, quotaCores: 0.3 })))
    const more = sample({ usageCores: 0.4, quotaCores: 0.3 })
    close(step(step(before, more).state, more).demandCores, 0.4)
  })

  void test('chance moves the estimate less than demand, a change moves it at once', () => {
    let state = after(times(80, sample({ usageCores: 0.3 })))
    const swing = (usageCores: number) => {
      const next = step(state, sample({ usageCores }))
      state = next.state
      return next
    }
    for (let i = 0; i < 40; i += 1) swing(i % 2 === 0 ? 0.36 : 0.24)
    const calm = swing(0.36)
    assert.ok(Math.abs(calm.estimateCores - 0.3) < Math.abs(calm.demandCores - 0.3))
    for (let i = 0; i < 12; i += 1) swing(0.9)
    assert.ok(swing(0.9).estimateCores > 0.81)
  })
})

void describe('laws of the control law', () => {
  const cores = fc.oneof(fc.double({ min: 0, max: 64, noNaN: true }), fc.constant(0))
  const good = fc.record({
    seconds: fc.double({ min: 0.02, max: 10, noNaN: true }),
    usageCores: cores,
    throttledPeriods: fc.nat(100),
    throttledCores: cores,
    quotaCores: fc.option(cores, { nil: undefined }),
    parallelism: fc.integer({ min: 1, max: 64 }),
    floorCores: fc.constant(0.01),
    ceilingCores: fc.double({ min: 0.01, max: 64, noNaN: true }),
  })
  const wild = fc.constantFrom(NaN, -1, Infinity, -Infinity, 1e9)

  void test('any good samples give finite amounts of 0 or more, within the bounds, and a reason', () => {
    fc.assert(
      fc.property(fc.array(good, { minLength: 1, maxLength: 60 }), (samples) => {
        let state = startLaw
        let most = 0
        for (const of of samples) {
          const next = step(state, of)
          state = next.state
          most = Math.max(most, of.usageCores)
          const { demandCores, estimateCores, variance, baseCores, quotaCores, reason } = next
          for (const amount of [demandCores, estimateCores, variance, baseCores, quotaCores]) {
            assert.ok(amount >= 0 && amount < Infinity, `${amount}`)
          }
          // Means of what was used cannot exceed it; appetite is bounded by what was shown.
          assert.ok(demandCores <= most * (1 + 1e-9))
          assert.ok(estimateCores <= 128 * (1 + 1e-9))
          assert.ok(quotaCores >= of.floorCores && quotaCores <= of.ceilingCores)
          assert.ok(reason !== '')
        }
      }),
      { numRuns: 300 },
    )
  })

  void test('while throttled, quota never falls and demand never falls', () => {
    fc.assert(
      fc.property(fc.array(good, { maxLength: 20 }), good, (samples, last) => {
        const before = after(samples)
        const quotaCores = Math.min(last.quotaCores ?? 1, last.ceilingCores)
        const next = step(before, { ...last, throttledPeriods: 2, quotaCores })
        assert.ok(next.quotaCores >= quotaCores)
        assert.ok(next.demandCores >= before.level.demand)
      }),
    )
  })

  void test('a wild sample is refused in words', () => {
    const names = fc.constantFrom(
      'seconds',
      'usageCores',
      'throttledPeriods',
      'throttledCores',
      'quotaCores',
      'parallelism',
    )
    fc.assert(
      fc.property(good, names, wild, (of, name, value) => {
        const next = stepLaw(startLaw, { ...of, [name]: value }, settings)
        assert.ok('dropped' in next && next.dropped.includes('got'))
      }),
    )
  })

  void test('demand after a second is the same at every sampling interval', () => {
    const rising = (seconds: number): number => {
      const before = after(times(80, sample({ usageCores: 0.2, quotaCores: 4 })))
      const count = Math.round(1 / seconds)
      return times(count, sample({ seconds, usageCores: 0.4, quotaCores: 4 })).reduce(
        (state, of) => step(state, of).state,
        before,
      ).level.demand
    }
    for (const seconds of [0.1, 0.25, 0.5]) close(rising(seconds), rising(1))
  })
})
