import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores } from '../units.ts'
import {
  type GuardSample,
  type GuardState,
  type GuardStep,
  guardRules,
  startGuard,
  stepGuard,
} from './guardrail.ts'
import { judge } from './signals.ts'

const sample = (over: Partial<GuardSample> = {}): GuardSample => ({
  seconds: 0.25,
  periods: 2,
  throttledPeriods: 0,
  latency: undefined,
  current: millicores(400),
  ceiling: millicores(2000),
  estimateCores: 0.3,
  ...over,
})
const latency = (p99Millis: number, ageMillis = 0) => ({ p99Millis, targetMillis: 100, ageMillis })

void describe('signals', () => {
  each(
    [
      {
        name: 'nothing is good',
        of: { throttledRatio: 0, latency: undefined },
        gives: ['good', 0],
      },
      {
        name: 'one of 20 is not above 5 %',
        of: { throttledRatio: 0.05, latency: undefined },
        gives: ['neither', 0],
      },
      { name: 'two are', of: { throttledRatio: 0.1, latency: undefined }, gives: ['bad', 0.111] },
      {
        name: 'above the target is bad',
        of: { throttledRatio: 0, latency: latency(150) },
        gives: ['bad', 0.5],
      },
      {
        name: 'near the target is neither',
        of: { throttledRatio: 0, latency: latency(90) },
        gives: ['neither', 0],
      },
      {
        name: 'far below it is good',
        of: { throttledRatio: 0, latency: latency(70) },
        gives: ['good', 0],
      },
      {
        name: 'old latency does not count',
        of: { throttledRatio: 0, latency: latency(500, 31_000) },
        gives: ['good', 0],
      },
      {
        name: 'nor does one that is no number',
        of: { throttledRatio: 0.2, latency: latency(NaN) },
        gives: ['bad', 0.333],
      },
      {
        name: 'the worse of the two tells how bad',
        of: { throttledRatio: 0.5, latency: latency(110) },
        gives: ['bad', 1],
      },
    ],
    ({ of, gives }) => {
      const { state, severity } = judge(of, guardRules.throttledRatio)
      assert.deepEqual([state, Math.round(severity * 1000) / 1000], gives)
    },
  )
})

void describe('the guardrail', () => {
  each<{ name: string; of: Partial<GuardSample>; gives: number | undefined; says: RegExp }>(
    [
      {
        name: 'leaves alone who does not suffer',
        of: {},
        gives: undefined,
        says: /^left alone: throttled in 0.0 % of periods, latency not measured$/,
      },
      {
        name: 'raises to the demand that throttling tells',
        of: { periods: 20, throttledPeriods: 6, estimateCores: 0.9 },
        gives: 900,
        says: /^raised from 400m to its demand of 900m: throttled in 30.0 %/,
      },
      {
        name: 'by a fifth where that is not more',
        of: { periods: 50, throttledPeriods: 3 },
        gives: 482,
        says: /by 20 % to 482m/,
      },
      {
        name: 'by two fifths if latency is twice its target',
        of: { latency: latency(200) },
        gives: 560,
        says: /by 40 % to 560m: .* p99 200 ms of 100 ms/,
      },
      {
        name: 'does not take an estimate for latency',
        of: { latency: latency(101), estimateCores: 5 },
        gives: 481,
        says: /by 20 %/,
      },
      {
        name: 'up to the ceiling',
        of: { latency: latency(200), ceiling: millicores(450) },
        gives: 450,
        says: /to 450m/,
      },
      {
        name: 'and not beyond',
        of: { latency: latency(200), ceiling: millicores(400) },
        gives: undefined,
        says: /^suffers, nothing more to raise now/,
      },
    ],
    ({ of, gives, says }) => {
      const { raiseTo, reason } = stepGuard(startGuard, sample(of))
      assert.equal(raiseTo, gives)
      assert.match(reason, says)
    },
  )

  const run = (
    turns: readonly Partial<GuardSample>[],
    from: GuardState = startGuard,
  ): GuardStep[] => {
    let state = from
    return turns.map((over) => {
      const next = stepGuard(state, sample(over))
      state = next.state
      return next
    })
  }
  const times = (count: number, of: Partial<GuardSample>) => Array.from({ length: count }, () => of)

  void test('throttled for two seconds without any latency, it was raised', () => {
    const bad = times(8, { throttledPeriods: 2, estimateCores: 0.9 })
    assert.ok(run(bad).some(({ raiseTo }) => raiseTo === 900))
  })

  void test('not again for throttling that is over, though it is still among the last 20 periods', () => {
    const [during, later] = run([{ periods: 10, throttledPeriods: 9 }, {}])
    assert.deepEqual([during?.raiseTo, during?.verdict.state], [552, 'bad'])
    assert.deepEqual([later?.raiseTo, later?.verdict.state], [undefined, 'bad'])
  })

  void test('a p99 that shows a raise late is not raised for twice in 30 s', () => {
    const raises = run(times(4 * 59, { latency: latency(150) })).filter(
      (s) => s.raiseTo !== undefined,
    )
    assert.equal(raises.length, 2)
  })

  void test('not lowered while it suffers nor for 30 s after, then again', () => {
    const steps = run([{ latency: latency(150) }, ...times(120, {})])
    assert.equal(steps[0]?.blocked, 'not lowered while it suffers')
    assert.equal(steps[119]?.blocked, 'not lowered for 1 s: it suffered')
    assert.equal(steps[120]?.blocked, undefined)
  })

  void test('laws: raises are above what it has and within the ceiling, and never while it is well', () => {
    const turn = fc.record({
      seconds: fc.constantFrom(0.1, 0.25, 1),
      periods: fc.constant(10),
      throttledPeriods: fc.oneof(fc.constant(0), fc.nat(10)),
      latency: fc.option(
        fc.record({
          p99Millis: fc.oneof(fc.nat(500), fc.constant(NaN)),
          targetMillis: fc.constant(100),
          ageMillis: fc.nat(60_000),
        }),
        { nil: undefined },
      ),
      current: fc.nat(4000).map(millicores),
      ceiling: fc.nat(4000).map(millicores),
      estimateCores: fc.double({ min: 0, max: 8, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 100 }), (turns) => {
        let state = startGuard
        for (const one of turns) {
          const next = stepGuard(state, one)
          state = next.state
          const isBad = next.verdict.state === 'bad'
          if (next.raiseTo !== undefined) {
            assert.ok(isBad && next.raiseTo > one.current && next.raiseTo <= one.ceiling)
          }
          if (isBad) assert.notEqual(next.blocked, undefined)
          // The throttling path is the same whether or not latency is known to be fine.
          const without = stepGuard(state, { ...one, latency: undefined })
          const fine = stepGuard(state, { ...one, latency: latency(1) })
          assert.equal(without.raiseTo, fine.raiseTo)
          assert.ok(next.reason !== '')
        }
      }),
    )
  })
})
