import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { podObject } from '../../../test/controller-pods.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { seePod } from './seen-pod.ts'
import { createStaleViews } from './stale-views.ts'

const version = (resourceVersion: string) => seePod(podObject({ metadata: { resourceVersion } }))

void describe('apps/controller: a cache that lags behind', () => {
  void test('is asked with less and less often, until it shows another version', async () => {
    const clock = manualClock()
    const views = createStaleViews(clock)
    assert.equal(views.waitFor(version('7')), 0)
    const waits: number[] = []
    for (let i = 0; i < 9; i += 1) {
      views.note(version('7'))
      waits.push(views.waitFor(version('7')))
      await clock.advance(waits.at(-1) ?? 0)
      assert.equal(views.waitFor(version('7')), 0)
    }
    assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    views.note(version('7'))
    assert.equal(views.waitFor(version('8')), 0)
    views.note(version('8'))
    assert.equal(views.waitFor(version('8')), 500)
    views.forget('uid-web')
    assert.equal(views.waitFor(version('8')), 0)
  })
})
