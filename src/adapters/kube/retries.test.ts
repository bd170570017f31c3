import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { instantClock } from '../../../test/instant-clock.ts'
import { seededRandom } from '../../core/random.ts'
import { ApiError, ConnectionFailed } from '../../ports/kube.ts'
import { defaultRetryPolicy, isWorthRetrying, withRetries } from './retries.ts'

const answered = (code: number, retryAfterSeconds?: number, cause?: string) =>
  new ApiError('getting pods default/a', {
    code,
    reason: '',
    said: '',
    retryAfterSeconds,
    ...(cause === undefined ? {} : { causes: [{ reason: cause, message: '' }] }),
  })
const broken = (sent: boolean, passing = true) =>
  new ConnectionFailed('getting pods default/a: broken', { sent, passing })

const failures = [
  { name: 'nothing was sent', error: broken(false), repeatable: true, other: true },
  { name: 'it may have been sent', error: broken(true), repeatable: true, other: false },
  { name: 'a wrong certificate', error: broken(false, false), repeatable: false, other: false },
  { name: '429 with Retry-After', error: answered(429, 1), repeatable: true, other: true },
  { name: '429', error: answered(429), repeatable: true, other: true },
  { name: '503', error: answered(503), repeatable: true, other: true },
  { name: '500 with Retry-After', error: answered(500, 1), repeatable: true, other: false },
  { name: '500', error: answered(500), repeatable: false, other: false },
  { name: '504', error: answered(504), repeatable: true, other: false },
  {
    name: 'an eviction that a budget forbids',
    error: answered(429, 10, 'DisruptionBudget'),
    repeatable: false,
    other: false,
  },
  { name: '404', error: answered(404), repeatable: false, other: false },
  { name: '409', error: answered(409), repeatable: false, other: false },
  { name: 'a bug of ours', error: new TypeError('x'), repeatable: false, other: false },
]

/** Fails with each error in turn, then succeeds. */
function failing(...errors: readonly Error[]) {
  let calls = 0
  return {
    attempt: async () => {
      calls += 1
      const error = errors[calls - 1]
      if (error !== undefined) throw error
      return calls
    },
    calls: () => calls,
  }
}

void describe('adapters/kube: what is tried again', () => {
  each(failures, ({ error, repeatable, other }) => {
    assert.equal(isWorthRetrying(error, true), repeatable)
    assert.equal(isWorthRetrying(error, false), other)
  })

  void test('a wait honours Retry-After, and adds to it', async () => {
    const clock = instantClock()
    const { attempt } = failing(answered(429, 7), answered(503, 2))
    const context = { policy: defaultRetryPolicy, clock, random: () => 0.5 }
    assert.equal(await withRetries({ attempt, repeatable: false }, context), 3)
    assert.deepEqual(clock.slept, [7050, 2100])
  })

  void test('after the last try the error says how many there were', async () => {
    const { attempt, calls } = failing(...Array.from({ length: 9 }, () => broken(false)))
    const context = { policy: defaultRetryPolicy, clock: instantClock(), random: () => 1 }
    await assert.rejects(withRetries({ attempt, repeatable: true }, context), {
      name: 'ConnectionFailed',
      message: 'getting pods default/a: broken (5 tries in 1.5 s)',
    })
    assert.equal(calls(), 5)
  })

  void test('a wait that goes beyond the total time is not begun', async () => {
    const clock = instantClock()
    const { attempt } = failing(answered(503, 61))
    const context = { policy: defaultRetryPolicy, clock, random: () => 0 }
    await assert.rejects(withRetries({ attempt, repeatable: true }, context), { code: 503 })
    assert.deepEqual(clock.slept, [])
  })

  void test('an abort ends the waiting', async () => {
    const stop = new AbortController()
    const attempt = async () => {
      stop.abort()
      throw broken(false)
    }
    const context = { policy: defaultRetryPolicy, clock: instantClock(), random: () => 1 }
    await assert.rejects(withRetries({ attempt, repeatable: true, signal: stop.signal }, context), {
      name: 'ConnectionFailed',
    })
  })

  void test('law: tries, waits and their sum are bounded, and what may have been done is not done twice', async () => {
    const failure = fc.constantFrom(...failures.map(({ error }) => error))
    const property = fc.asyncProperty(
      fc.record({
        errors: fc.array(failure, { maxLength: 12 }),
        repeatable: fc.boolean(),
        seed: fc.integer(),
        attempts: fc.integer({ min: 1, max: 8 }),
        totalMillis: fc.integer({ min: 0, max: 20_000 }),
      }),
      async ({ errors, repeatable, seed, attempts, totalMillis }) => {
        const clock = instantClock()
        const policy = { ...defaultRetryPolicy, attempts, totalMillis }
        const { attempt, calls } = failing(...errors)
        const work = { attempt, repeatable }
        await withRetries(work, { policy, clock, random: seededRandom(seed) }).catch(() => {})
        assert.ok(calls() <= attempts)
        assert.ok(clock.now() <= totalMillis)
        const gaveUpOn = errors.findIndex((error) => !isWorthRetrying(error, repeatable))
        if (gaveUpOn !== -1) assert.ok(calls() <= gaveUpOn + 1)
        for (const [i, wait] of clock.slept.entries()) {
          const error = errors[i]
          const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
          assert.ok(wait >= asked && wait <= asked + Math.min(10_000, 100 * 2 ** i))
        }
      },
    )
    await fc.assert(property)
  })
})
