import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores, millis } from '../units.ts'
import { captain, type CaptainState, captainTargets } from './captain.ts'
import type { Decision } from './law.ts'

type Tenth = { readonly usageCores: number; readonly throttledPeriods: number }

function run(target: number, quota: number, tenths: readonly Tenth[]): Decision<CaptainState>[] {
  const law = captain(target)
  let state = law.start(millicores(quota), millis(0))
  return tenths.map((tenth, i) => {
    const decision = law.decide(state, { at: millis((i + 1) * 100), seconds: 0.1, ...tenth })
    ;({ state } = decision)
    return decision
  })
}

const quotaAfter = (target: number, quota: number, tenths: readonly Tenth[]) =>
  run(target, quota, tenths).at(-1)?.quota

/** So many samples, the first of them throttled. */
const tenths = (count: number, throttled = 0, usageCores = 0.1): Tenth[] =>
  Array.from({ length: count }, (_, i) => ({ usageCores, throttledPeriods: i < throttled ? 1 : 0 }))

void describe('captain', () => {
  void test('there are nine targets', () => assert.equal(captainTargets.length, 9))

  each(
    [
      {
        name: 'between decisions nothing moves',
        target: 0,
        quota: 100,
        of: tenths(9, 9),
        gives: 100,
      },
      {
        name: 'throttled all of the second it doubles',
        target: 0,
        quota: 100,
        of: tenths(10, 10),
        gives: 200,
      },
      { name: 'and doubles again', target: 0, quota: 100, of: tenths(20, 20), gives: 400 },
      {
        name: 'three targets are taken off',
        target: 0.1,
        quota: 100,
        of: tenths(10, 10),
        gives: 170,
      },
      {
        name: 'up to three targets are borne',
        target: 0.1,
        quota: 100,
        of: tenths(10, 3),
        gives: 100,
      },
      { name: 'it falls by half at most', target: 0, quota: 4000, of: tenths(10), gives: 2000 },
      // 5 s of the same use have no deviation: the highest use is enough.
      {
        name: 'down to the highest use of 5 s',
        target: 0,
        quota: 4000,
        of: tenths(100),
        gives: 100,
      },
      {
        name: 'use above 0.9 of the quota is near enough',
        target: 0,
        quota: 105,
        of: tenths(60),
        gives: 105,
      },
      { name: 'never below 10m', target: 0, quota: 40, of: tenths(200, 0, 0.001), gives: 10 },
    ],
    ({ target, quota, of, gives }) => assert.equal(quotaAfter(target, quota, of), gives),
  )

  void test('a cut that throttles is undone within 100 ms, by as much above', () => {
    const decisions = run(0.02, 4000, [...tenths(10), ...tenths(1, 1)])
    assert.deepEqual(
      decisions.slice(-2).map(({ quota }) => quota),
      [2000, 6000],
    )
    assert.match(decisions.at(-1)?.reason ?? '', /the cut from 4.000 cores throttled, undone/)
  })

  void test('throttling above the target widens the margin, calm below it narrows it', () => {
    const margin = (of: readonly Tenth[]) => run(0.1, 100, of).at(-1)?.state.margin ?? NaN
    assert.ok(Math.abs(margin(tenths(10, 5)) - 3.4) < 1e-12)
    assert.ok(Math.abs(margin(tenths(10)) - 2.9) < 1e-12)
  })

  void test('a decision never more than doubles or halves, but for undoing a cut', () => {
    const tenth = fc.record({
      usageCores: fc.double({ min: 0, max: 4, noNaN: true }),
      throttledPeriods: fc.integer({ min: 0, max: 1 }),
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...captainTargets),
        fc.array(tenth, { minLength: 10, maxLength: 100 }),
        (target, samples) => {
          let before = { quota: 1000, hasCut: false }
          for (const { quota, state, reason } of run(target, 1000, samples)) {
            // What undoes a cut goes from a half to one and a half.
            const most = before.hasCut ? 3 : 2
            assert.ok(quota <= most * before.quota + 2, `${before.quota} to ${quota}: ${reason}`)
            assert.ok(quota >= before.quota / 2 - 1, `${before.quota} to ${quota}: ${reason}`)
            before = { quota, hasCut: state.hasCut }
          }
        },
      ),
    )
  })
})
