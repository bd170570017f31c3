import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'

import { manualClock } from '../../../test/manual-clock.ts'
import type { LatencyAnswer, LatencySource } from '../../ports/latency.ts'
import { type LatencyNews, watchLatencies } from './latencies.ts'

const web = { namespace: 'shop', name: 'web' }
const api = { namespace: 'shop', name: 'api' }
const told = (p99s: Readonly<Record<string, number>>, unusable = 0): LatencyAnswer => ({
  p99Millis: new Map(Object.entries(p99s)),
  unusable,
})

/** A source that answers when the test says so, and the watch of it: every 2 s, at most 30 s old. */
function scene(t: TestContext) {
  const clock = manualClock()
  const stop = new AbortController()
  const counts: Record<LatencyNews, number> = { answered: 0, failed: 0, stale: 0, unusable: 0 }
  const lines: string[] = []
  const asked: { at: number; answer: (it: LatencyAnswer) => void; fail: (why: Error) => void }[] =
    []
  let wanted = [web]
  const read: LatencySource['read'] = async (_, signal) =>
    new Promise((answer, fail) => {
      asked.push({ at: clock.now(), answer, fail })
      signal.addEventListener('abort', () => fail(signal.reason as Error))
    })
  const latencies = watchLatencies(
    {
      source: { where: 'here', read, close: () => {} },
      pods: () => wanted,
      clock,
      random: () => 0,
      log: (level, message) => void lines.push(`${level} ${message}`),
      count: (news, by) => (counts[news] += by),
    },
    { intervalMillis: 2000, oldestMillis: 30_000 },
    stop.signal,
  )
  t.after(() => stop.abort())
  const want = (pods: typeof wanted): void => void (wanted = pods)
  return { ...latencies, clock, stop, counts, lines, asked, want }
}

void describe('the latencies that an agent knows', () => {
  void test('are the last ones told, with the time since they were asked for', async (t) => {
    const { of, asked, clock, counts } = scene(t)
    assert.equal(of(web), undefined)
    await clock.advance(1500)
    asked[0]?.answer(told({ 'shop/web': 120 }, 3))
    await clock.advance(500)
    assert.deepEqual(of(web), { p99Millis: 120, ageMillis: 2000 })
    assert.equal(of(api), undefined)
    assert.deepEqual(counts, { answered: 1, failed: 0, stale: 0, unusable: 3 })
  })

  void test('are replaced as a whole: a pod without requests has none', async (t) => {
    const { of, asked, clock } = scene(t)
    asked[0]?.answer(told({ 'shop/web': 120, 'shop/api': 80 }))
    await clock.advance(2000)
    asked[1]?.answer(told({ 'shop/api': 90 }))
    await clock.advance(0)
    assert.deepEqual([of(web), of(api)], [undefined, { p99Millis: 90, ageMillis: 0 }])
  })

  void test('are asked for once at a time, however slow the answer is', async (t) => {
    const { of, asked, clock, counts } = scene(t)
    asked[0]?.answer(told({ 'shop/web': 120 }))
    await clock.advance(20_000)
    assert.equal(asked.length, 2)
    assert.deepEqual(of(web), { p99Millis: 120, ageMillis: 20_000 })
    await clock.advance(10_001)
    assert.equal(of(web), undefined)
    assert.equal(of(web), undefined)
    assert.equal(counts.stale, 1)
    await clock.advance(2000)
    asked[1]?.answer(told({ 'shop/web': 130 }))
    await clock.advance(0)
    assert.equal(of(web), undefined, 'an answer that took longer than that is as old')
    assert.equal(counts.stale, 2)
  })

  void test('age while nobody answers, and are known again with the next answer', async (t) => {
    const { of, asked, clock, counts, lines } = scene(t)
    asked[0]?.answer(told({ 'shop/web': 120 }))
    await clock.advance(2000)
    asked[1]?.fail(new Error('away'))
    await clock.advance(2000)
    asked[2]?.fail(new Error('away'))
    assert.deepEqual(of(web), { p99Millis: 120, ageMillis: 4000 })
    await clock.advance(4000)
    asked[3]?.answer(told({ 'shop/web': 140 }))
    await clock.advance(1999)
    assert.deepEqual(of(web), { p99Millis: 140, ageMillis: 1999 })
    assert.equal(asked.length, 4)
    await clock.advance(1)
    assert.equal(asked.length, 5, 'it is back to its rhythm')
    assert.deepEqual(counts, { answered: 2, failed: 2, stale: 0, unusable: 0 })
    assert.deepEqual(lines, [
      'warn latency not known',
      'debug latency not known',
      'info latency known again',
    ])
  })

  void test('back off by doubling, to half a minute', async (t) => {
    const { asked, clock } = scene(t)
    for (let second = 0; second < 150; second += 1) {
      asked.at(-1)?.fail(new Error('away'))
      await clock.advance(1000)
    }
    const waits = asked.slice(1).map(({ at }, i) => at - (asked[i]?.at ?? 0))
    assert.deepEqual(waits.slice(0, 6), [2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  void test('are not asked for while no pod has a target', async (t) => {
    const { of, asked, clock, want } = scene(t)
    asked[0]?.answer(told({ 'shop/web': 120 }))
    want([])
    await clock.advance(20_000)
    assert.equal(asked.length, 1)
    assert.equal(of(web), undefined)
    want([web])
    await clock.advance(2000)
    assert.equal(asked.length, 2)
  })

  void test('are no longer asked for after an abort, which is no failure', async (t) => {
    const { stop, stopped, counts, lines } = scene(t)
    stop.abort()
    await stopped
    assert.equal(counts.failed, 0)
    assert.deepEqual(lines, [])
  })
})
