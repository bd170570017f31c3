import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { configMap, refusal, watching } from '../../test/chaos/watching.ts'
import { each } from '../../test/each.ts'
import { IDLE_MILLIS, WATCH_SECONDS } from './informer.ts'
import { createBackoff } from './reflector-backoff.ts'

void describe('reflector, when things fail', () => {
  void test('pauses grow from 0.8 s to 30 s, each stretched by up to as much again', () => {
    for (const jitter of [0, 0.5, 0.999]) {
      const { next, reset } = createBackoff(() => jitter)
      const waits = Array.from({ length: 8 }, () => next(new Error('broken')) / (1 + jitter))
      assert.deepEqual(
        waits.map(Math.round),
        [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000],
      )
      reset()
      assert.equal(Math.round(next(new Error('broken')) / (1 + jitter)), 800)
    }
  })

  each(
    [
      { name: 'Retry-After is obeyed, with our jitter on top', after: 5, wait: 5400 },
      { name: 'Retry-After of less than our own pause does not shorten it', after: 0, wait: 1200 },
    ],
    ({ after, wait }) =>
      assert.equal(createBackoff(() => 0.5).next(refusal(429, 'TooManyRequests', after)), wait),
  )

  void test('a list and a watch come back when the server said so', async () => {
    const busy = refusal(429, 'TooManyRequests', 7)
    const on = watching({ script: { list: [busy], watch: [busy] } })
    on.start()
    await on.clock.advance(20_000)
    assert.deepEqual(
      on.asked.map(({ at, ...asked }) => `${Object.keys(asked)[0]} at ${at}`),
      ['list at 0', 'list at 7400', 'watch at 7400', 'watch at 14800'],
    )
    on.stop()
  })

  void test('a server that never answers well is asked ever less often, and a success starts afresh', async () => {
    const broken = new Error('connection refused')
    const on = watching({ script: { list: Array.from({ length: 9 }, () => broken) } })
    const informer = on.start()
    await on.clock.advance(600_000)
    const times = on.asked.map(({ at }) => at)
    const gaps = times.slice(1, 10).map((at, i) => at - (times[i] ?? 0))
    assert.deepEqual(gaps, [1200, 2400, 4800, 9600, 19_200, 38_400, 45_000, 45_000, 45_000])
    assert.equal(informer.counts.errors >= 9, true)
    await on.put(configMap('a'))
    on.answers.watch.push(broken)
    on.server.endWatches()
    const before = on.watches().length
    await on.clock.advance(1300)
    assert.equal(on.watches().length, before + 2)
    on.stop()
  })

  each(
    [
      { name: 'pauses start afresh after a watch that brought something', fail: true, after: 0 },
      { name: 'pauses start afresh after a quiet watch that ended well', fail: false, after: 5000 },
    ],
    async ({ fail, after }) => {
      const broken = new Error('broken')
      const on = watching({ script: { watch: [broken, broken] } })
      on.start()
      await on.clock.advance(1200 + 2400 + after)
      if (fail) await on.put(configMap('a'))
      await on.news()
      on.answers.watch.push(...(fail ? [] : [broken]))
      const before = on.watches().length
      on.server.endWatches(fail ? broken : undefined)
      await on.clock.advance(1199)
      assert.equal(on.watches().length, before + (fail ? 0 : 1))
      await on.clock.advance(1)
      assert.equal(on.watches().length, before + (fail ? 1 : 2), 'the pause is the shortest again')
      on.stop()
    },
  )

  void test('a watch that ended leaves no timer behind', async () => {
    const on = watching()
    on.start()
    for (let i = 0; i < 5; i += 1) {
      await on.clock.advance(2000)
      on.server.endWatches()
      await on.news()
    }
    assert.deepEqual([on.watches().length, on.clock.sleeping()], [6, 1])
    on.stop()
  })

  void test('a watch that the server ends at once is not asked for again at once', async () => {
    const on = watching({ script: { watch: [[], [], []] } })
    on.start()
    await on.clock.advance(600)
    assert.equal(on.watches().length, 1)
    await on.clock.advance(20_000)
    assert.equal(on.watches().length, 4)
    on.stop()
  })

  each(
    [
      { name: 'a stalled watch is cut 10 s after its own end', idle: undefined, cut: 115_000 },
      { name: 'a silent watch is cut after the idle time', idle: 90_000, cut: 90_000 },
    ],
    async ({ idle, cut }) => {
      const on = watching({
        script: { watch: ['stall'] },
        ...(idle !== undefined && { idleTimeoutMs: idle }),
      })
      const informer = on.start()
      await on.clock.advance(cut - 1)
      await on.put(configMap('a'))
      assert.deepEqual([informer.counts.errors, on.watches().length], [0, 1])
      await on.clock.advance(2000)
      assert.deepEqual(await on.news(), ['added default/a ->'])
      assert.deepEqual([informer.counts.errors, on.lists().length], [1, 1])
      assert.match(
        String(on.logged[0]?.['error']),
        /watching configmaps: stalled, nothing came for/,
      )
      on.stop()
    },
  )

  void test('the server is asked to end a silent watch before it counts as stalled', () => {
    const longest = 2 * WATCH_SECONDS * 1000
    assert.ok(longest < IDLE_MILLIS)
  })

  void test('events and bookmarks keep a watch from counting as silent', async () => {
    const on = watching({ idleTimeoutMs: 60_000, watchTimeoutSeconds: 300 })
    const informer = on.start()
    for (let i = 0; i < 4; i += 1) {
      await on.clock.advance(50_000)
      if (i % 2 === 0) on.server.bookmark()
      else await on.put(configMap(`a${i}`))
      await on.news()
    }
    assert.deepEqual([informer.counts.errors, on.watches().length], [0, 1])
    on.stop()
  })
})
