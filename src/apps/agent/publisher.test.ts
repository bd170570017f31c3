import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { manualClock } from '../../../test/manual-clock.ts'
import { memoryKube } from '../../../test/memory-kube.ts'
import { createPublisher } from './publisher.ts'

void describe('publishing', () => {
  void test('an API that hangs is given up before what was decided is outdated', async () => {
    const clock = manualClock()
    const kube = memoryKube({ before: async () => new Promise(() => undefined) })
    const publisher = createPublisher({ kube, nodeName: 'n1', clock, log: () => undefined })
    const pod = { uid: 'u', namespace: 'shop', name: 'web' }
    const asking = publisher.standingOf(pod, new AbortController().signal)
    await clock.advance(9_999)
    assert.equal(publisher.isAway(), false)
    await clock.advance(1)
    assert.equal(await asking, undefined)
    assert.equal(publisher.isAway(), true)
  })
})
