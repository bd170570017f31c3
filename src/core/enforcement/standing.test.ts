import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import type { Latency } from '../guardrail/signals.ts'
import { millicores } from '../units.ts'
import {
  isHurt,
  isTaker,
  type Lived,
  type Standing,
  startStanding,
  stepStanding,
} from './standing.ts'

type Life = Partial<Lived> & {
  /** Of ten periods. */
  readonly throttledPeriods?: number
}

/** Does so for so many seconds on a full machine of 4 CPUs, entitled to 1, a sample every quarter of one. */
function live(seconds: number, life: Life = {}, before: Standing = startStanding): Standing {
  const { throttledPeriods = 0, ...given } = life
  const lived: Lived = {
    seconds: 0.25,
    usedCores: 0,
    waitedCores: 0,
    periods: { seconds: 0.25, periods: 10, throttledPeriods },
    latency: undefined,
    entitled: millicores(1000),
    given: millicores(1000),
    isStrict: false,
    throttledRatio: 0.05,
    cpus: 4,
    hasIdleCpu: false,
    ...given,
  }
  let standing = before
  for (let at = 0; at < 4 * seconds; at += 1) standing = stepStanding(standing, lived)
  return standing
}

const late: Latency = { p99Millis: 150, targetMillis: 100, ageMillis: 0 }

void describe('the credits of a share', () => {
  void test('start at none, and come with every moment in which it uses less than its own', () => {
    assert.equal(startStanding.credits, 0)
    assert.equal(live(1).credits, 1)
    assert.equal(live(10).credits, 2)
  })

  void test('go by use above its own, and are forgiven below a second and a half', () => {
    const one = live(10, { usedCores: 4 })
    assert.equal(one.credits, -1.5)
    assert.equal(live(2, {}, one).credits, 0.5)
  })

  void test('of what the market gave are counted beside', () => {
    const { credits, marketCredits } = live(2, { usedCores: 2, given: millicores(3000) })
    assert.ok(credits < 0 && marketCredits > 0, `${credits} ${marketCredits}`)
  })

  void test('of the market are never fewer than of its own', () => {
    const { credits, marketCredits } = live(2, { usedCores: 0.5, given: millicores(100) })
    assert.ok(marketCredits >= credits, `${credits} ${marketCredits}`)
  })
})

void describe('whether a share suffers', () => {
  each<{ name: string; life: Life; state: string }>(
    [
      {
        name: 'it does while it waits for CPUs',
        life: { usedCores: 1, waitedCores: 1 },
        state: 'waits',
      },
      {
        name: 'not beside idle CPU',
        life: { usedCores: 1, waitedCores: 1, hasIdleCpu: true },
        state: 'well',
      },
      {
        name: 'nor by waiting a tenth of its time',
        life: { usedCores: 0.9, waitedCores: 0.1 },
        state: 'well',
      },
      { name: 'it does while it is late', life: { latency: late }, state: 'late' },
      {
        name: 'not by a latency that is too old',
        life: { latency: { ...late, ageMillis: 31_000 } },
        state: 'well',
      },
      {
        name: 'throttling is no suffering where a quota is a ceiling',
        life: { throttledPeriods: 9 },
        state: 'well',
      },
      {
        name: 'and is where it is a share, whatever is idle',
        life: { throttledPeriods: 9, hasIdleCpu: true, isStrict: true },
        state: 'throttled',
      },
    ],
    ({ life, state }) => assert.equal(live(5, life).verdict.state, state),
  )

  void test('takes waiting of about a second, and is over as soon', () => {
    const busy = { usedCores: 1, waitedCores: 1 }
    assert.equal(live(0.25, busy).verdict.state, 'well')
    const waits = live(3, busy)
    assert.equal(waits.verdict.state, 'waits')
    assert.equal(live(3, { usedCores: 1 }, waits).verdict.state, 'well')
  })
})

void describe('a claim to CPU that others use', () => {
  each<{ name: string; life: Life; hasTarget?: boolean; hurt: boolean; taker: boolean }>(
    [
      {
        name: 'has who waits with less than its own',
        life: { usedCores: 0.5, waitedCores: 1 },
        hurt: true,
        taker: false,
      },
      {
        name: 'has not who waits for the slices of others to end, as everybody does',
        life: { usedCores: 0.6, waitedCores: 0.3 },
        hurt: false,
        taker: false,
      },
      {
        name: 'has not who uses more and waits, perhaps for its own threads: it takes',
        life: { usedCores: 2, waitedCores: 2 },
        hurt: false,
        taker: true,
      },
      {
        name: 'has who is late, whatever it uses',
        life: { usedCores: 2, latency: late },
        hasTarget: true,
        hurt: true,
        taker: false,
      },
      {
        name: 'has not who is late by a target that is not its own',
        life: { usedCores: 2, latency: late },
        hurt: false,
        taker: true,
      },
      {
        name: 'has not who has a target that nobody measures, and waits',
        life: { usedCores: 2, waitedCores: 2 },
        hasTarget: true,
        hurt: false,
        taker: false,
      },
      {
        name: 'a strict share neither takes nor is hurt by what its own quota throttles',
        life: { usedCores: 2, throttledPeriods: 9, isStrict: true },
        hurt: false,
        taker: false,
      },
      {
        name: 'has who has less than half of its own, also of many CPUs',
        life: { usedCores: 1.5, waitedCores: 6, entitled: millicores(4000) },
        hurt: true,
        taker: false,
      },
    ],
    ({ life, hasTarget = false, hurt, taker }) => {
      const one = live(5, life)
      assert.deepEqual(
        [isHurt(one, hasTarget), isTaker(one, { hasTarget, isStrict: life.isStrict === true })],
        [hurt, taker],
      )
    },
  )
})
