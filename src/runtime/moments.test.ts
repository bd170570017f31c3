import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../test/manual-clock.ts'
import type { Millis } from '../core/units.ts'
import { createMoments } from './moments.ts'

void describe('runtime/moments', () => {
  void test('a moment stays where it is, whatever becomes of the wall clock', async () => {
    const clock = manualClock()
    let step = 0
    const moments = createMoments({ ...clock, wall: () => (clock.wall() + step) as Millis })
    const noted = (clock.wall() - 60_000) as Millis
    assert.equal(moments.of('a', noted), -60_000)
    for (step of [-3_600_000, 3_600_000]) {
      await clock.advance(30_000)
      assert.equal(moments.of('a', noted), -60_000)
    }
  })

  void test('another moment of the same thing is another, and what is to come is now', async () => {
    const clock = manualClock()
    const moments = createMoments(clock)
    const noted = clock.wall()
    assert.equal(moments.of('a', noted), 0)
    await clock.advance(5000)
    assert.equal(moments.of('a', (noted + 2000) as Millis), 2000)
    assert.equal(moments.of('b', (noted + 60_000) as Millis), 5000)
    moments.keepOnly(new Set(['b']))
    await clock.advance(1000)
    assert.equal(moments.of('a', (noted + 2000) as Millis), 2000)
  })
})
