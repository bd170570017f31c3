import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { cpu as resources, podObject } from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { cpu } from '../../../test/resizes.ts'
import { timestamp } from '../../runtime/conditions.ts'
import { seePod } from './seen-pod.ts'
import { createSentResizes } from './sent-resizes.ts'

const actuatedAt = (request: string, limit: string) =>
  seePod(
    podObject({
      status: {
        containerStatuses: [{ name: 'app', restartCount: 0, resources: resources(request, limit) }],
      },
    }),
  )

void describe('apps/controller: resizes that were sent', () => {
  void test('the time until the kubelet has set one is told once', async () => {
    const clock = manualClock()
    const told: number[] = []
    const sent = createSentResizes(clock, (millis) => told.push(millis))
    const before = actuatedAt('100m', '200m')
    sent.sent(before, [cpu('app', 200, 400)])
    await clock.advance(700)
    sent.look(before)
    await clock.advance(800)
    sent.look(actuatedAt('200m', '400m'))
    sent.look(actuatedAt('200m', '400m'))
    assert.deepEqual(told, [1500])
  })

  void test('since one of ours, our own clock counts', async () => {
    const clock = manualClock()
    const sent = createSentResizes(clock, () => undefined)
    const pod = actuatedAt('100m', '200m')
    assert.equal(sent.sinceResize(pod), undefined)
    sent.sent(pod, [])
    await clock.advance(1234)
    assert.equal(sent.sinceResize(pod), 1234)
    sent.forget(pod.uid)
    assert.equal(sent.sinceResize(pod), undefined)
  })

  each(
    [
      { name: 'since one of another, the time that the server noted', ago: 5000, is: 4001 },
      { name: 'a server that is a little ahead', ago: -3000, is: 0 },
      { name: 'a server that is far ahead says nothing', ago: -3_600_000, is: undefined },
    ],
    ({ ago, is }) => {
      const clock = manualClock()
      const time = timestamp((clock.wall() - ago) as ReturnType<typeof clock.wall>)
      const managedFields = [{ subresource: 'resize', time }]
      const pod = seePod(podObject({ metadata: { managedFields } }))
      assert.equal(createSentResizes(clock, () => undefined).sinceResize(pod), is)
    },
  )
})
