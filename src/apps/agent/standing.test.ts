import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { charge, measured, type SampleGiven } from '../../../test/charges.ts'
import { type Doing, sampledPod } from '../../../test/sampled-pod.ts'
import { stepCredits } from '../../core/enforcement/lane.ts'
import type { Latency } from '../../core/guardrail/signals.ts'
import { millis } from '../../core/units.ts'
import type { Charge } from './charge.ts'
import { type Moment, sampleOf, stepPod } from './standing.ts'

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

const SECONDS = 0.25
/** With news at every sample. */
const busy = (doing: Partial<Doing>): Doing => ({
  cores: 1,
  waitedCores: 0,
  periods: 3,
  throttledPeriods: 1,
  ...doing,
})
const idle: Doing = { cores: 0, waitedCores: 0, periods: 0, throttledPeriods: 0 }

const amount = (max: number) => fc.double({ min: 0, max, noNaN: true })
const busyOnes = fc.array(fc.record({ cores: amount(2), waitedCores: amount(4) }).map(busy), {
  minLength: 20,
  maxLength: 40,
})
const isClose = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6

void describe('a pod whose containers are not all looked at', () => {
  const enforcements = fc.constantFrom('elastic' as const, 'strict' as const)

  void test('does as it would without those that are idle', () => {
    fc.assert(
      fc.property(busyOnes, enforcements, fc.boolean(), (course, enforcement, hasIdleCpu) => {
        const [alone, meshed] = [sampledPod(1), sampledPod(2)]
        const [a, b] = [charge({ enforcement }), charge({ enforcement })]
        for (const doing of course) {
          a.standing = stepPod(a, moment({ measured: alone.pass(SECONDS, [doing]), hasIdleCpu }))
          const both = meshed.pass(SECONDS, [doing, idle])
          b.standing = stepPod(b, moment({ measured: both, hasIdleCpu }))
        }
        assert.deepEqual(b.standing, a.standing)
      }),
    )
  })

  void test('has the credits of all that it used, every moment once', () => {
    const sides = fc.array(fc.constantFrom(0, 0, 0, 0, 0.01, 0.02, 0.5, 2), {
      minLength: 40,
      maxLength: 40,
    })
    fc.assert(
      fc.property(busyOnes, sides, fc.boolean(), (course, side, hasIdleCpu) => {
        const pod = sampledPod(2)
        const one = charge()
        let credits = 0
        for (const [i, doing] of course.entries()) {
          const cores = side[i] ?? 0
          one.standing = stepPod(
            one,
            moment({ measured: pod.pass(SECONDS, [doing, { ...idle, cores }]), hasIdleCpu }),
          )
          const usedCores = doing.cores + cores
          const use = { seconds: SECONDS, usedCores, entitledCores: 1, hasIdleCpu }
          credits = stepCredits(credits, use)
          assert.ok(isClose(one.standing.credits, credits), `${one.standing.credits}, ${credits}`)
        }
      }),
    )
  })

  void test('counts for a container whose sample does not count with what that used last', () => {
    const dropped = { kind: 'too_soon' as const, dropped: 'a test' }
    const containers = [{ ...measured({ cores: 1 }), dropped }, measured({ cores: 0.5 })]
    assert.equal(stepPod(charge(), moment({ measured: containers })).used, 1500)
  })

  void test('is counted by what is new of each: what its containers did, no more', () => {
    const pod = sampledPod(2)
    const sum = { periods: 0, throttledPeriods: 0, waitedSeconds: 0 }
    const side: Doing = { ...idle, cores: 0.01, waitedCores: 0.02, periods: 2 }
    const count = 80
    for (let at = 0; at < count; at += 1) {
      const sample = sampleOf(pod.pass(SECONDS, [busy({ waitedCores: 1 }), side]))
      sum.periods += sample.periods
      sum.throttledPeriods += sample.throttledPeriods
      sum.waitedSeconds += sample.waitedSeconds
    }
    const [main = 0, other = 0] = pod.tracked().map(({ last }) => last.periods)
    assert.equal(sum.periods, main + other)
    assert.ok(other > 2 * (count - 9), 'of an idle one no more than two seconds are to come')
    assert.equal(sum.throttledPeriods, count)
    // Waiting is known from the second look on.
    const waited = (count - 1) * SECONDS * (1 + 0.02)
    assert.ok(sum.waitedSeconds <= waited + 1e-6, `${sum.waitedSeconds} of ${waited}`)
    assert.ok(sum.waitedSeconds > waited - 0.05, `${sum.waitedSeconds} of ${waited}`)
  })
})
