import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { manualClock, settled } from '../../test/manual-clock.ts'
import { prepareShutdown } from './shutdown.ts'

const grace = 20_000

/** A process that notes what happens to it. */
function started() {
  const clock = manualClock()
  const signals = new EventEmitter()
  const notes: string[] = []
  const shutdown = prepareShutdown({
    clock,
    log: (level, message, { reason = '', part = '' } = {}) =>
      notes.push(`${level} ${message} ${reason as string}${part as string}`.trim()),
    grace,
    process: {
      on: (name, listener) => signals.on(name, listener),
      exit: (code) => notes.push(`exit ${code}`),
    },
  })
  void shutdown.finished.then((code) => notes.push(`finished ${code}`))
  return { clock, signals, notes, shutdown }
}

void describe('runtime/shutdown', () => {
  void test('a signal aborts, then stops one after the other, the last registered first', async () => {
    const { clock, signals, notes, shutdown } = started()
    shutdown.onStop('server', () => void notes.push('server'))
    shutdown.onStop('queue', async () => {
      await clock.sleep(500)
      notes.push('queue')
    })
    assert.equal(shutdown.signal.aborted, false)
    signals.emit('SIGTERM')
    assert.equal(shutdown.signal.aborted, true)
    await clock.advance(400)
    assert.deepEqual(notes, ['info stopping SIGTERM'])
    await clock.advance(100)
    assert.deepEqual(notes.slice(1), ['queue', 'server', 'info stopped', 'finished 0'])
    assert.equal(clock.sleeping(), 0)
  })

  each(
    ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGALRM', 'SIGXCPU', 'SIGPWR'].map(
      (signal) => ({ name: `${signal} ends in order`, signal }),
    ),
    async ({ signal }) => {
      const { clock, signals, notes, shutdown } = started()
      shutdown.onStop('server', () => void notes.push('server'))
      signals.emit(signal)
      await clock.advance(0)
      assert.deepEqual(notes, [`info stopping ${signal}`, 'server', 'info stopped', 'finished 0'])
      signals.emit(signal)
      const code = 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
      assert.equal(notes.at(-1), `exit ${code}`)
    },
  )

  void test('one that fails does not keep the others', async () => {
    const { clock, signals, notes, shutdown } = started()
    shutdown.onStop('server', () => void notes.push('server'))
    shutdown.onStop('queue', () => {
      throw new Error('no')
    })
    signals.emit('SIGINT')
    await clock.advance(0)
    assert.deepEqual(notes.slice(1), [
      'error stopping a part failed queue',
      'server',
      'info stopped',
      'finished 1',
    ])
  })

  void test('after the grace the rest is told at once, and nothing is waited for', async () => {
    const { clock, signals, notes, shutdown } = started()
    shutdown.onStop('server', (signal) => void notes.push(`server ${signal.aborted}`))
    shutdown.onStop('queue', async (signal) => {
      signal.addEventListener('abort', () => notes.push('queue told'))
      await new Promise(() => {})
    })
    signals.emit('SIGTERM')
    await clock.advance(grace)
    assert.deepEqual(notes.slice(1), [
      'queue told',
      'error a part did not stop in time queue',
      'server true',
      'info stopped',
      'finished 1',
    ])
  })

  void test('a second signal exits at once', async () => {
    const { signals, notes, shutdown } = started()
    shutdown.onStop('queue', async () => new Promise(() => {}))
    signals.emit('SIGTERM')
    signals.emit('SIGINT')
    await settled()
    assert.deepEqual(notes, ['info stopping SIGTERM', 'exit 130'])
  })

  void test('it can begin from within, once', async () => {
    const { clock, notes, shutdown } = started()
    shutdown.begin('lost the lease', 3)
    shutdown.begin('something else', 0)
    await clock.advance(0)
    assert.deepEqual(notes, ['info stopping lost the lease', 'info stopped', 'finished 3'])
  })
})
