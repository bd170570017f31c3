import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { charge, measured, type SampleGiven } from '../../../test/charges.ts'
import { each } from '../../../test/each.ts'
import type { Latency } from '../../core/guardrail/signals.ts'
import { millis } from '../../core/units.ts'
import type { Charge } from './charge.ts'
import { isHurt, isTaker, type Moment, stepStanding } from './standing.ts'

const moment = (given: Partial<Moment> = {}): Moment => ({
  measured: [measured()],
  latency: undefined,
  now: millis(0),
  hasIdleCpu: false,
  throttledRatio: 0.05,
  ...given,
})

/** Does so for so many seconds, a sample every quarter of one. */
function live(one: Charge, seconds: number, given: SampleGiven & Partial<Moment> = {}): Charge {
  const { cores, waitedCores, throttledPeriods, ...rest } = given
  const sample = measured({
    ...(cores !== undefined && { cores }),
    ...(waitedCores !== undefined && { waitedCores }),
    ...(throttledPeriods !== undefined && { throttledPeriods }),
  })
  for (let at = 0; at < 4 * seconds; at += 1) {
    const now = millis(at * 250)
    one.standing = stepStanding(one, moment({ measured: [sample], now, ...rest }))
  }
  return one
}

const late: Latency = { p99Millis: 150, targetMillis: 100, ageMillis: 0 }

void describe('the credits of a pod', () => {
  void test('start at none, and come with every moment in which it uses less than its own', () => {
    const one = charge()
    assert.equal(one.standing.credits, 0)
    assert.equal(live(one, 1).standing.credits, 1)
    assert.equal(live(one, 10).standing.credits, 2)
  })

  void test('go by use above its own, and are forgiven below a quarter of a second', () => {
    const one = live(charge(), 10, { cores: 4 })
    assert.equal(one.standing.credits, -0.25)
    assert.equal(live(one, 1, { cores: 0 }).standing.credits, 0.75)
  })

  void test('of what the market gave are counted beside', () => {
    const one = charge({ decision: { given: 3000 as never } })
    const { credits, marketCredits } = live(one, 2, { cores: 2 }).standing
    assert.ok(credits < 0 && marketCredits > 0, `${credits} ${marketCredits}`)
  })

  void test('stay as they were by a sample that does not count', () => {
    const one = live(charge(), 1)
    const dropped = { kind: 'too_soon' as const, dropped: 'a test' }
    const before = one.standing
    const bad = [{ ...measured(), dropped }]
    assert.equal(stepStanding(one, moment({ measured: bad })), before)
  })

  void test('are of all containers together', () => {
    const one = charge()
    const two = [measured({ cores: 0.75 }), measured({ cores: 0.75 })]
    const { used, credits } = stepStanding(one, moment({ measured: two }))
    assert.deepEqual([used, credits < 0], [1500, true])
  })
})

void describe('whether a pod suffers', () => {
  each<{ name: string; given: SampleGiven & Partial<Moment>; strict?: boolean; state: string }>(
    [
      {
        name: 'it does while it waits for CPUs',
        given: { cores: 1, waitedCores: 1 },
        state: 'waits',
      },
      {
        name: 'not beside idle CPU',
        given: { cores: 1, waitedCores: 1, hasIdleCpu: true },
        state: 'well',
      },
      {
        name: 'nor by waiting a tenth of its time',
        given: { cores: 0.9, waitedCores: 0.1 },
        state: 'well',
      },
      { name: 'it does while it is late', given: { latency: late }, state: 'late' },
      {
        name: 'not by a latency that is too old',
        given: { latency: { ...late, ageMillis: 31_000 } },
        state: 'well',
      },
      {
        name: 'throttling is no suffering where a quota is a ceiling',
        given: { throttledPeriods: 9 },
        state: 'well',
      },
      {
        name: 'and is where it is a share, whatever is idle',
        given: { throttledPeriods: 9, hasIdleCpu: true },
        strict: true,
        state: 'throttled',
      },
    ],
    ({ given, strict = false, state }) => {
      const one = charge({ enforcement: strict ? 'strict' : 'elastic' })
      assert.equal(live(one, 5, given).standing.verdict?.state, state)
    },
  )

  void test('takes waiting of about a second, and is over as soon', () => {
    const one = charge()
    const busy = { cores: 1, waitedCores: 1 }
    assert.equal(live(one, 0.25, busy).standing.verdict?.state, 'well')
    const since = live(one, 3, busy).standing.badSince
    assert.ok(since !== undefined)
    live(one, 3, { cores: 1 })
    assert.deepEqual([one.standing.verdict?.state, one.standing.badSince], ['well', undefined])
  })

  void test('a target that is missed with all of its own in use shows that that is not enough', () => {
    assert.equal(live(charge(), 5, { cores: 0.5, latency: late }).standing.shortAt, undefined)
    assert.ok(live(charge(), 5, { cores: 2, latency: late }).standing.shortAt !== undefined)
  })
})

void describe('a claim to CPU that others use', () => {
  each<{ name: string; one: Charge; hasTarget?: boolean; hurt: boolean; taker: boolean }>(
    [
      {
        name: 'has who waits with less than its own',
        one: live(charge(), 5, { cores: 0.5, waitedCores: 1 }),
        hurt: true,
        taker: false,
      },
      {
        name: 'has not who uses more and waits, perhaps for its own threads: it takes',
        one: live(charge(), 5, { cores: 2, waitedCores: 2 }),
        hurt: false,
        taker: true,
      },
      {
        name: 'has who is late, whatever it uses',
        one: live(charge(), 5, { cores: 2, latency: late }),
        hasTarget: true,
        hurt: true,
        taker: false,
      },
      {
        name: 'has not who is late by a target that is not its own',
        one: live(charge(), 5, { cores: 2, latency: late }),
        hurt: false,
        taker: true,
      },
      {
        name: 'has who has a target that nobody measures, and waits',
        one: live(charge(), 5, { cores: 2, waitedCores: 2 }),
        hasTarget: true,
        hurt: true,
        taker: false,
      },
      {
        name: 'a strict pod neither takes nor is hurt by what its own quota throttles',
        one: live(charge({ enforcement: 'strict' }), 5, { cores: 2, throttledPeriods: 9 }),
        hurt: false,
        taker: false,
      },
    ],
    ({ one, hasTarget = false, hurt, taker }) =>
      assert.deepEqual([isHurt(one, hasTarget), isTaker(one, hasTarget)], [hurt, taker]),
  )
})
