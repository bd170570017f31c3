import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { keepFound, keepOurs, undo } from './state.ts'

const settings = { shares: 1024, quotaMicros: 80_000, periodMicros: 100_000, burstMicros: 0 }

void describe('undoing', () => {
  const kept = keepOurs(keepFound('a', settings), settings, { quotaMicros: 30_000, shares: 2048 })
  each(
    [
      { name: 'what we wrote', now: { quotaMicros: 30_000 }, change: { quotaMicros: 80_000 } },
      { name: 'nothing where it is as found', now: {}, change: {} },
      { name: 'not what is neither', now: { quotaMicros: 40_000 }, change: {}, left: 1 },
      { name: 'shares as cgroup v1 reads them', now: { shares: 2048 }, change: { shares: 1024 } },
      { name: 'shares as v2 reads them', now: { shares: 2047 }, change: { shares: 1024 } },
      {
        name: 'neither a period nor a quota where one of them is neither',
        now: { periodMicros: 1_000_000, quotaMicros: 30_000 },
        change: {},
        left: 1,
      },
      { name: 'not what we never touched', now: { burstMicros: 5 }, change: {}, left: 1 },
    ],
    ({ now, change, left = 0 }) => {
      const undoing = undo(kept, { ...settings, ...now })
      assert.deepEqual([undoing.change, undoing.left.length], [change, left])
    },
  )

  void test('between two writes either value is ours', () => {
    const next = keepOurs(kept, { ...settings, quotaMicros: 30_000 }, { quotaMicros: 50_000 })
    for (const quotaMicros of [30_000, 50_000]) {
      assert.deepEqual(undo(next, { ...settings, quotaMicros }).change, { quotaMicros: 80_000 })
    }
    assert.equal(undo(next, { ...settings, quotaMicros: 20_000 }).left.length, 1)
  })

  void test('a kernel without burst has none to undo', () => {
    const { burstMicros: _, ...old } = settings
    const kept = keepOurs(keepFound('a', old), old, { quotaMicros: 30_000, burstMicros: 30_000 })
    assert.deepEqual(undo(kept, { ...old, quotaMicros: 30_000 }).change, { quotaMicros: 80_000 })
  })
})
