import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { instantClock } from '../../test/instant-clock.ts'
import { every, feelPulse } from './every.ts'

/** The moments of the turns, each of which takes as long as told. */
async function momentsOf(durations: readonly number[], fail: (turn: number) => boolean) {
  const clock = instantClock()
  const end = new AbortController()
  const said: string[] = []
  const moments: number[] = []
  const log = (_level: string, message: string): void => void said.push(message)
  await every({ interval: 100, clock, log, signal: end.signal, doing: 'turning' }, () => {
    const turn = moments.length
    moments.push(clock.now())
    clock.advance(durations[turn] ?? 0)
    if (turn + 1 === durations.length) end.abort()
    if (fail(turn)) throw new Error('no')
  })
  return { moments, said }
}

void describe('a rhythm', () => {
  void test('is not shifted by a slow turn', async () => {
    const { moments } = await momentsOf([0, 80, 0, 0], () => false)
    assert.deepEqual(moments, [100, 200, 300, 400])
  })

  void test('leaves out the turns that a slow one missed', async () => {
    const { moments } = await momentsOf([0, 250, 0, 0], () => false)
    assert.deepEqual(moments, [100, 200, 450, 550])
  })

  void test('goes on after a turn that failed, and tells it', async () => {
    const { moments, said } = await momentsOf([0, 0, 0], (turn) => turn === 1)
    assert.deepEqual([moments, said], [[100, 200, 300], ['turning']])
  })
})

void describe('the pulse of a rhythm', () => {
  void test('is well for ten turns after a beat, and then says how long ago it was', () => {
    const clock = instantClock()
    const { beat, verdict } = feelPulse({ interval: 100, clock }, 'turn')
    clock.advance(999)
    assert.deepEqual(verdict(), { ok: true })
    clock.advance(1)
    assert.deepEqual(verdict(), { ok: false, reason: 'the last turn was 1000 ms ago' })
    beat()
    assert.deepEqual(verdict(), { ok: true })
  })
})
