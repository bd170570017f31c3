import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { manualClock } from '../../../test/manual-clock.ts'
import { createThrottle, defaultRateLimits } from './rate-limit.ts'

void describe('adapters/kube: rate limits', () => {
  void test('a burst leaves at once, the rest at the rate, in order', async () => {
    const clock = manualClock()
    const limits = { ...defaultRateLimits, write: { perSecond: 10, burst: 2 } }
    const throttle = createThrottle(limits, clock)
    const left: [number, number][] = []
    const requests = [0, 1, 2, 3, 4].map(async (i) => {
      await throttle('write')
      left.push([i, clock.now()])
    })
    await clock.advance(1000)
    await Promise.all(requests)
    assert.deepEqual(left, [
      [0, 0],
      [1, 0],
      [2, 100],
      [3, 200],
      [4, 300],
    ])
  })

  void test('one purpose does not wait for another, and a lease never waits', async () => {
    const clock = manualClock()
    const one = { perSecond: 1, burst: 1 }
    const throttle = createThrottle({ ...defaultRateLimits, read: one, event: one }, clock)
    await throttle('read')
    assert.equal(await throttle('event'), 0)
    for (let i = 0; i < 1000; i += 1) assert.equal(await throttle('lease'), 0)
  })

  void test('who gives up waiting leaves the token to the next', async () => {
    const clock = manualClock()
    const throttle = createThrottle(
      { ...defaultRateLimits, read: { perSecond: 1, burst: 1 } },
      clock,
    )
    await throttle('read')
    const stop = new AbortController()
    const gone = assert.rejects(throttle('read', stop.signal), { name: 'AbortError' })
    stop.abort()
    await gone
    const next = throttle('read')
    await clock.advance(1000)
    assert.equal(await next, 1000)
  })

  void test('law: in any span at most burst + rate x span leave, and nobody overtakes', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 40 })
    const property = fc.asyncProperty(
      fc.record({
        gaps,
        perSecond: fc.integer({ min: 1, max: 50 }),
        burst: fc.integer({ min: 1, max: 10 }),
      }),
      async ({ gaps, perSecond, burst }) => {
        const clock = manualClock()
        const throttle = createThrottle({ ...defaultRateLimits, read: { perSecond, burst } }, clock)
        const left: { readonly who: number; readonly at: number }[] = []
        const all: Promise<void>[] = []
        for (const [who, gap] of gaps.entries()) {
          await clock.advance(gap)
          all.push(throttle('read').then(() => void left.push({ who, at: clock.now() })))
        }
        await clock.advance(60_000)
        await Promise.all(all)
        assert.deepEqual(
          left.map(({ who }) => who),
          [...gaps.keys()],
        )
        for (const [i, { at }] of left.entries()) {
          for (const [j, later] of left.entries()) {
            if (j < i) continue
            const span = later.at - at + 1 // sleeps are whole milliseconds
            assert.ok(j - i + 1 <= burst + (span * perSecond) / 1000)
          }
        }
      },
    )
    await fc.assert(property, { numRuns: 50 })
  })
})
