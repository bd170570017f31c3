import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { charge, measured, type SampleGiven } from '../../../test/charges.ts'
import type { Latency } from '../../core/guardrail/signals.ts'
import { millis } from '../../core/units.ts'
import type { Charge } from './charge.ts'
import { type Moment, stepPod } from './standing.ts'

const moment = (given: Partial<Moment> = {}): Moment => ({
  measured: [measured()],
  latency: undefined,
  now: millis(0),
  cpus: 4,
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
    one.standing = stepPod(one, moment({ measured: [sample], now, ...rest }))
  }
  return one
}

const late: Latency = { p99Millis: 150, targetMillis: 100, ageMillis: 0 }

void describe('how a pod does', () => {
  void test('is of all containers together', () => {
    const one = charge()
    const two = [measured({ cores: 0.75 }), measured({ cores: 0.75 })]
    const { used, credits } = stepPod(one, moment({ measured: two }))
    assert.deepEqual([used, credits < 0], [1500, true])
  })

  void test('of a strict one is as throttled as its worst container', () => {
    const one = charge({ enforcement: 'strict' })
    const two = [measured({ throttledPeriods: 9 }), measured()]
    assert.equal(stepPod(one, moment({ measured: two })).verdict.state, 'throttled')
  })

  void test('stays as it was by a sample that does not count', () => {
    const one = live(charge(), 1)
    const dropped = { kind: 'too_soon' as const, dropped: 'a test' }
    const before = one.standing
    const bad = [{ ...measured(), dropped }]
    assert.equal(stepPod(one, moment({ measured: bad })), before)
  })

  void test('is known since when it has been bad, until it no longer is', () => {
    const one = live(charge(), 3, { cores: 1, waitedCores: 1 })
    assert.ok(one.standing.badSince !== undefined)
    live(one, 3, { cores: 1 })
    assert.equal(one.standing.badSince, undefined)
  })

  void test('a target that is missed with all of its own in use shows that that is not enough', () => {
    assert.equal(live(charge(), 5, { cores: 0.5, latency: late }).standing.shortAt, undefined)
    assert.ok(live(charge(), 5, { cores: 2, latency: late }).standing.shortAt !== undefined)
  })
})
