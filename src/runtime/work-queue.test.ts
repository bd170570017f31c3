import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { manualClock, settled } from '../../test/manual-clock.ts'
import { workQueue, type QueueOptions, type WorkQueue } from './work-queue.ts'

const fresh = (options: Partial<QueueOptions> = {}) => {
  const clock = manualClock()
  return { clock, queue: workQueue({ clock, ...options }) }
}

/** What one worker that finishes at once gets, and when. */
function record({ clock, queue }: ReturnType<typeof fresh>): string[] {
  const got: string[] = []
  const work = async () => {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      got.push(`${key}@${clock.now()}`)
      queue.done(key)
    }
  }
  void work()
  return got
}

void describe('runtime/work-queue', () => {
  void test('what is urgent comes first, also what became so while it waited', async () => {
    const urgent = new Set(['c'])
    const { queue } = fresh({ isUrgent: (key) => urgent.has(key) })
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key)
    urgent.add('d')
    queue.add('d')
    queue.add('d')
    assert.equal(queue.length(), 4)
    const got: unknown[] = []
    for (let i = 0; i < 4; i += 1) got.push(await queue.get())
    assert.deepEqual(got, ['c', 'd', 'a', 'b'])
    assert.equal(queue.length(), 0)
    queue.done('d')
    queue.add('d')
    assert.equal(await queue.get(), 'd')
  })

  each<{ name: string; act: (queue: WorkQueue) => void; gives: string[] }>(
    [
      {
        name: 'keys come out in the order in which they came',
        act: ({ add }) => ['b', 'a', 'c'].forEach(add),
        gives: ['b@0', 'a@0', 'c@0'],
      },
      {
        name: 'a key waits at most once',
        act: ({ add }) => ['a', 'b', 'a'].forEach(add),
        gives: ['a@0', 'b@0'],
      },
      {
        name: 'delayed keys come in the order of their moments',
        act: ({ addAfter }) => {
          for (const [key, delay] of Object.entries({ a: 30, b: 10, c: 20, d: 0 })) {
            addAfter(key, delay)
          }
        },
        gives: ['d@0', 'b@10', 'c@20', 'a@30'],
      },
      {
        name: 'the earlier of two moments wins, whichever comes first',
        act: ({ addAfter }) => {
          addAfter('a', 9)
          addAfter('a', 3)
          addAfter('b', 4)
          addAfter('b', 8)
        },
        gives: ['a@3', 'b@4'],
      },
      {
        name: 'failures of a key back off apart from those of others',
        act: ({ addRateLimited }) => {
          addRateLimited('a')
          addRateLimited('b')
        },
        gives: ['a@5', 'b@5'],
      },
      {
        name: 'nothing comes after shutdown',
        act: ({ add, addAfter, addRateLimited, shutdown }) => {
          add('a')
          addAfter('b', 5)
          shutdown()
          add('c')
          addAfter('d', 5)
          addRateLimited('e')
        },
        gives: [],
      },
    ],
    async ({ act, gives }) => {
      const world = fresh()
      act(world.queue)
      const got = record(world)
      await world.clock.advance(1000)
      assert.deepEqual(got, gives)
    },
  )

  void test('a key added while in work waits until that work is done', async () => {
    const { queue } = fresh()
    queue.add('a')
    assert.equal(await queue.get(), 'a')
    queue.add('a')
    queue.add('a')
    const second = queue.get()
    let came = false
    void second.then(() => (came = true))
    await settled()
    assert.deepEqual([came, queue.length()], [false, 0])
    queue.done('a')
    assert.equal(await second, 'a')
    queue.done('a')
    assert.equal(queue.length(), 0)
  })

  void test('the backoff of a key doubles to its limit and ends when it is forgotten', async () => {
    const world = fresh({ backoff: { first: 5, longest: 30 } })
    const got = record(world)
    for (let i = 0; i < 5; i += 1) {
      world.queue.addRateLimited('a')
      await world.clock.advance(100)
    }
    assert.equal(world.queue.retries('a'), 5)
    world.queue.forget('a')
    assert.equal(world.queue.retries('a'), 0)
    world.queue.addRateLimited('a')
    await world.clock.advance(100)
    assert.deepEqual(got, ['a@5', 'a@110', 'a@220', 'a@330', 'a@430', 'a@505'])
  })

  void test('retries of all keys share one bucket', async () => {
    const world = fresh({ bucket: { perSecond: 10, burst: 2 } })
    const got = record(world)
    for (const key of ['a', 'b', 'c', 'd']) world.queue.addRateLimited(key)
    await world.clock.advance(1000)
    assert.deepEqual(got, ['a@5', 'b@5', 'c@100', 'd@200'])
  })

  void test('shutdown ends every wait and leaves no sleep behind', async () => {
    const { clock, queue } = fresh()
    queue.addAfter('a', 1000)
    const waits = Promise.all([queue.get(), queue.get()])
    queue.shutdown()
    assert.deepEqual(await waits, [undefined, undefined])
    await settled()
    assert.equal(clock.sleeping(), 0)
  })

  void test('a drain waits for the keys in work', async () => {
    const { queue } = fresh()
    for (const key of ['a', 'b', 'c']) queue.add(key)
    await queue.get()
    await queue.get()
    let drained = false
    const drain = queue.drain().then(() => (drained = true))
    queue.done('a')
    await settled()
    assert.deepEqual([drained, queue.inWork(), queue.length()], [false, ['b'], 0])
    queue.done('b')
    await drain
    assert.equal(await queue.get(), undefined)
  })

  void test('a key that is not in work cannot be finished', () => {
    const { queue } = fresh()
    queue.add('a')
    assert.throws(() => queue.done('a'), /finishing a: it is not in work/)
  })

  void test('metrics tell depth, adds, retries, waiting and working time, and the oldest age', async () => {
    const seen: string[] = []
    const { clock, queue } = fresh({
      metrics: {
        depth: (waiting) => seen.push(`depth ${waiting}`),
        added: () => seen.push('added'),
        retried: () => seen.push('retried'),
        waited: (duration) => seen.push(`waited ${duration}`),
        worked: (duration) => seen.push(`worked ${duration}`),
      },
    })
    queue.add('a')
    queue.add('a')
    await clock.advance(10)
    await queue.get()
    await clock.advance(20)
    assert.equal(queue.oldestAge(), 30)
    queue.addRateLimited('a')
    queue.done('a')
    assert.equal(queue.oldestAge(), 0)
    const expected = ['added', 'depth 1', 'depth 0', 'waited 10', 'retried', 'worked 20']
    assert.deepEqual(seen, expected)
  })

  void test('100,000 keys pass in order', async () => {
    const { queue } = fresh()
    const keys = Array.from({ length: 100_000 }, (_, i) => `default/pod-${i}`)
    for (const key of keys) queue.add(key)
    for (const key of keys) {
      assert.equal(await queue.get(), key)
      queue.done(key)
    }
  })

  void test('one worker has a key, no add is missed, and no key comes without one', async () => {
    const adds = fc.array(
      fc.record({ at: fc.nat(200), key: fc.constantFrom('a', 'b', 'c'), delay: fc.nat(50) }),
      { maxLength: 60 },
    )
    const durations = fc.array(fc.nat(40), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(adds, durations, fc.integer({ min: 1, max: 4 }), async (adds, took, n) => {
        const { clock, queue } = fresh()
        const runs: { key: string; from: number; to: number }[] = []
        const work = async () => {
          for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
            const from = clock.now()
            const run = { key, from, to: Infinity }
            runs.push(run)
            await clock.sleep(took[runs.length % took.length] ?? 0)
            run.to = clock.now()
            queue.done(key)
          }
        }
        for (let i = 0; i < n; i += 1) void work()
        const enter = async ({ at, key, delay }: { at: number; key: string; delay: number }) => {
          await clock.sleep(at)
          queue.addAfter(key, delay)
        }
        for (const add of adds) void enter(add)
        await clock.advance(10_000)
        for (const { at, key, delay } of adds) {
          assert.ok(
            runs.some((run) => run.key === key && run.from >= at),
            `${key}@${at}+${delay}`,
          )
        }
        for (const [i, a] of runs.entries()) {
          assert.ok(adds.some((add) => add.key === a.key && add.at <= a.from))
          for (const b of runs.slice(i + 1)) assert.ok(a.key !== b.key || a.to <= b.from)
        }
        assert.ok(runs.length <= adds.length)
        queue.shutdown()
      }),
      { numRuns: 100, seed: 4 },
    )
  })

  void test('a delayed key comes at the earliest of its moments, as one', async () => {
    const entries = fc.array(fc.tuple(fc.nat(30), fc.nat(500)), { maxLength: 400 })
    await fc.assert(
      fc.asyncProperty(entries, async (entries) => {
        const world = fresh()
        const earliest = new Map<string, number>()
        for (const [number, delay] of entries) {
          const key = `k${number}`
          world.queue.addAfter(key, delay + 1)
          earliest.set(key, Math.min(delay + 1, earliest.get(key) ?? Infinity))
        }
        const got = record(world)
        await world.clock.advance(1000)
        const expected = [...earliest].toSorted(([, a], [, b]) => a - b)
        assert.deepEqual(got.toSorted(), expected.map(([key, at]) => `${key}@${at}`).toSorted())
        const moments = got.map((entry) => Number(entry.split('@')[1]))
        assert.deepEqual(
          moments,
          expected.map(([, at]) => at),
        )
      }),
      { numRuns: 50, seed: 4 },
    )
  })
})
