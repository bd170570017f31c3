import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../../test/manual-clock.ts'
import type { Pod } from '../../apis/pod.ts'
import { createMending } from './mending.ts'

const podOf = (cpu: string, more: object = {}): Pod => ({
  metadata: { namespace: 'default', name: 'api', uid: 'u1', ...more },
  spec: { containers: [{ name: 'app', resources: { requests: { cpu } } }] },
})

const scene = () => {
  const clock = manualClock()
  const over = new AbortController()
  const looks: number[] = []
  const mend = (uid: string): void => {
    assert.equal(uid, 'u1')
    looks.push(clock.now())
  }
  const mending = createMending({ clock, mend }, over.signal)
  const change = (before: Pod, now: Pod): void =>
    mending.note({ type: 'updated', key: 'default/api', before, now })
  return { clock, over, looks, mending, change }
}

void describe('looking after a resize', () => {
  void test('is done every 20 ms for two seconds, and then no more', async () => {
    const { clock, looks, change } = scene()
    change(podOf('100m'), podOf('200m'))
    await clock.advance(10_000)
    assert.deepEqual([looks.length, looks[0], looks.at(-1)], [100, 20, 2000])
    assert.equal(clock.sleeping(), 0)
  })

  void test('goes on where another resize follows', async () => {
    const { clock, looks, change } = scene()
    change(podOf('100m'), podOf('200m'))
    await clock.advance(1000)
    change(podOf('200m'), podOf('300m'))
    await clock.advance(10_000)
    assert.equal(looks.at(-1), 3000)
  })

  void test('is for resizes only', async () => {
    const { clock, looks, change, mending } = scene()
    change(podOf('100m'), podOf('100m', { annotations: { a: 'b' } }))
    mending.note({ type: 'added', key: 'default/api', now: podOf('1') })
    mending.note({ type: 'deleted', key: 'default/api', before: podOf('1') })
    await clock.advance(10_000)
    assert.deepEqual(looks, [])
  })

  void test('ends with the agent', async () => {
    const { clock, looks, change, mending, over } = scene()
    change(podOf('100m'), podOf('200m'))
    await clock.advance(100)
    over.abort()
    await mending.stopped()
    await clock.advance(1000)
    assert.equal(looks.length, 5)
  })
})
