import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock, settled } from '../../test/manual-clock.ts'
import { LeadershipLost } from './leader.ts'
import { runReconciler, type ReconcilerOptions } from './reconcile.ts'
import { workQueue } from './work-queue.ts'

type Given = Pick<ReconcilerOptions, 'reconcile'> & Partial<ReconcilerOptions>

function start(given: (sleep: ReconcilerOptions['clock']['sleep']) => Given) {
  const clock = manualClock()
  const queue = workQueue({ clock })
  const abort = new AbortController()
  const lines: string[] = []
  const told = { ended: false }
  const running = runReconciler({
    queue,
    workers: 2,
    clock,
    log: (level, message, fields) => {
      const { key, keys, error } = (fields ?? {}) as Record<string, string | undefined>
      lines.push([level, message, key ?? keys, error].filter(Boolean).join(' '))
    },
    signal: abort.signal,
    ...given(clock.sleep),
  }).finally(() => (told.ended = true))
  return { clock, queue, abort, lines, told, running }
}

void describe('runtime/reconcile', () => {
  void test('so many keys are in work at once as there are workers', async () => {
    let most = 0
    let now = 0
    const { clock, queue } = start((sleep) => ({
      workers: 3,
      reconcile: async () => {
        now += 1
        most = Math.max(most, now)
        await sleep(10)
        now -= 1
      },
    }))
    for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key)
    await clock.advance(100)
    assert.deepEqual([most, now], [3, 0])
  })

  void test('a failure is logged once and tried again with backoff, and success ends the backoff', async () => {
    const at: number[] = []
    const outcomes: string[] = []
    const { clock, queue, lines } = start(() => ({
      metrics: { reconciled: (outcome) => outcomes.push(outcome) },
      reconcile: async () => {
        at.push(clock.now())
        if (at.length < 4) throw new Error(`try ${at.length}`)
      },
    }))
    queue.add('a')
    await clock.advance(10_000)
    assert.deepEqual(at, [0, 5, 15, 35])
    assert.equal(queue.retries('a'), 0)
    assert.deepEqual(outcomes, ['failed', 'failed', 'failed', 'done'])
    assert.deepEqual(
      lines,
      [1, 2, 3].map((n) => `error reconcile failed a try ${n}`),
    )
  })

  void test('a throw before the first await is a failure like another, with its place if it is a bug', async () => {
    let calls = 0
    const { clock, queue, lines } = start(() => ({
      reconcile: () => {
        calls += 1
        if (calls === 1) throw new TypeError('no such field')
        return Promise.resolve()
      },
    }))
    queue.add('a')
    await clock.advance(100)
    assert.equal(calls, 2)
    assert.match(lines.join('\n'), /no such field\n +at .*reconcile\.test/)
  })

  void test('a result can ask to look again later', async () => {
    const at: number[] = []
    const { clock, queue } = start(() => ({
      reconcile: async () => {
        at.push(clock.now())
        return { requeueAfter: 1000 }
      },
    }))
    queue.add('a')
    await clock.advance(2500)
    assert.deepEqual(at, [0, 1000, 2000])
  })

  void test('a call that takes too long is told to stop, and keeps its key until it does', async () => {
    const events: string[] = []
    const { clock, queue, lines } = start((sleep) => ({
      timeout: 50,
      reconcile: async (_, signal) => {
        events.push(`start ${clock.now()}`)
        await sleep(1000, signal)
        if (!signal.aborted) return
        await sleep(30)
        events.push(`stop ${clock.now()}`)
        signal.throwIfAborted()
      },
    }))
    queue.add('a')
    await clock.advance(60)
    queue.add('a')
    await clock.advance(40)
    assert.deepEqual(events, ['start 0', 'stop 80', 'start 80'])
    assert.deepEqual(lines, [
      'warn reconcile overdue a',
      'error reconcile failed a reconciling a: not done after 50 ms',
    ])
  })

  void test('on shutdown calls in work finish, and nothing new begins', async () => {
    const finished: string[] = []
    const { clock, queue, abort, told, running } = start((sleep) => ({
      workers: 1,
      reconcile: async (key, signal) => {
        await sleep(5000, signal)
        if (!signal.aborted) finished.push(key)
      },
    }))
    queue.add('a')
    queue.add('b')
    await settled()
    abort.abort()
    await clock.advance(4999)
    assert.deepEqual([told.ended, finished], [false, []])
    await clock.advance(1)
    await running
    assert.deepEqual(finished, ['a'])
    assert.equal(clock.sleeping(), 0)
  })

  void test('after the grace calls are told to stop, and one that does not is left behind', async () => {
    const stopped: string[] = []
    const { clock, queue, abort, lines, told } = start((sleep) => ({
      grace: 100,
      reconcile: async (key, signal) => {
        await sleep(100_000, key === 'deaf' ? undefined : signal)
        stopped.push(`${key}@${clock.now()}`)
      },
    }))
    queue.add('a')
    queue.add('deaf')
    await settled()
    abort.abort()
    await clock.advance(1000)
    assert.deepEqual([told.ended, stopped], [false, ['a@100']])
    await clock.advance(200)
    assert.equal(told.ended, true)
    assert.deepEqual(lines, ['error leaving reconciles behind deaf'])
  })

  void test('when leadership is lost calls in work are told at once', async () => {
    const { clock, queue, abort, told } = start((sleep) => ({
      reconcile: async (_, signal) => sleep(100_000, signal),
    }))
    queue.add('a')
    await settled()
    abort.abort(new LeadershipLost('gone'))
    await settled()
    assert.equal(told.ended, true)
    assert.equal(clock.now(), 0)
  })

  void test('a signal that is aborted from the start ends it at once', async () => {
    const { running } = start(() => ({
      signal: AbortSignal.abort(),
      reconcile: async () => assert.fail('nothing may begin'),
    }))
    await running
  })
})
