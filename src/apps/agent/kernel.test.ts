import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createPods, loadedPod, onPlatform } from '../../../test/platform.ts'
import { settings } from '../../apis/names.ts'
import { pods } from '../../apis/pod.ts'
import { placeOf, lastingContainers } from './pod-facts.ts'

void describe('what the agent does to the kernel', () => {
  void test('what a killed agent left there is undone at the end', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, writer, pass, stop }) => {
      const annotations = { [settings.minCpu]: '500m', [settings.maxCpu]: '500m' }
      await createPods(kube, [loadedPod('idle', { load: 'idle', limit: '500m', annotations })])
      await pass(1)
      const pod = await kube.get(pods, { namespace: 'default', name: 'idle' })
      const [container] = lastingContainers(pod)
      assert.ok(container?.place)
      const places = [placeOf(pod), container.place]
      const bursts = () => places.map((place) => writer.settings(place)?.burstMicros)
      writer.write(places.map((place) => ({ place, burstMicros: 50_000 })))
      assert.deepEqual(bursts(), [50_000, 50_000])
      await pass(10)
      await stop()
      assert.deepEqual(bursts(), [0, 0])
    })
  })
})
