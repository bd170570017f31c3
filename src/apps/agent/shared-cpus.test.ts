import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import {
  followShared,
  hasIdle,
  isBusy,
  noneSeen,
  type SharedCpus,
  withBusy,
} from './shared-cpus.ts'

/** So many cores in use for so many seconds, looked at four times a second. */
function watch(cores: number, seconds: number, rest: { ownCores?: number; cpus?: number } = {}) {
  const { ownCores = 0, cpus = 2 } = rest
  let shared: SharedCpus = noneSeen
  for (let i = 0; i <= seconds * 4; i += 1) {
    const usage = { atMicros: i * 250_000, usageMicros: i * 250_000 * cores }
    shared = followShared(shared, { usage, ownCores, cpus })
  }
  return shared
}

void describe('the CPUs that groups share', () => {
  each(
    [
      { name: 'have some idle at half use', shared: watch(1, 10), busy: false, idle: true },
      { name: 'are busy at nine tenths', shared: watch(1.8, 10), busy: true, idle: true },
      { name: 'are full when all are in use', shared: watch(2, 10), busy: true, idle: false },
      { name: 'are not full for a moment', shared: watch(2, 0.5), busy: false, idle: true },
      {
        name: 'are full whatever others leave of CPUs of their own',
        shared: watch(2.1, 10, { ownCores: 0.1, cpus: 2 }),
        busy: true,
        idle: false,
      },
      {
        name: 'are idle beside CPUs of its own that a group uses up',
        shared: watch(3, 10, { ownCores: 2, cpus: 2 }),
        busy: false,
        idle: true,
      },
    ],
    ({ shared, busy, idle }) => assert.deepEqual([isBusy(shared), hasIdle(shared)], [busy, idle]),
  )

  void test('are full until a tenth of them is idle, once they were', () => {
    const full = watch(2, 10)
    const after = (busyRatio: number) => hasIdle(withBusy(full, busyRatio))
    assert.deepEqual([after(0.94), after(0.9), after(0.89)], [false, false, true])
    assert.ok(hasIdle(withBusy(withBusy(full, 0.89), 0.94)))
  })

  void test('are not known from one look', () => assert.equal(watch(2, 0).busyRatio, 0))
})
