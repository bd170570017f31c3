import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createPods, loadedPod, onPlatform } from '../../../test/platform.ts'
import { fieldManagers, originalAnnotation, settings } from '../../apis/names.ts'
import { podAllocations } from '../../apis/pod-allocation.ts'
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

  void test('what the kubelet has set meanwhile stands, though the spec that we know is older', async () => {
    const options = { cpus: 2, hasController: false }
    await onPlatform(options, async ({ kube, writer, pass, see, stop }) => {
      await createPods(kube, [loadedPod('api', { load: 'steady cpu=900m', limit: '400m' })])
      await pass(20)
      const told = see('api').desired?.limit ?? 0
      assert.ok(told >= 900 && see('api').limit === 400)
      const { pod } = see('api')
      const places = [placeOf(pod), ...lastingContainers(pod).flatMap(({ place }) => place ?? [])]
      // As the kubelet does, and the spec with the same change is not seen any more.
      writer.write(places.map((place) => ({ place, burstMicros: 0, quotaMicros: told * 100 })))
      await stop()
      const { quota, burst, group } = see('api')
      assert.deepEqual([quota, burst, group], [told, 0, { quota: told, burst: 0 }])
    })
  })

  void test('what it left on pods that opted out since is undone, of pods of ours only', async () => {
    // A controller would have restored what was resized.
    const options = { cpus: 4, hasController: false }
    await onPlatform(options, async ({ kube, writer, pass, see, replaceAgent }) => {
      const optedOut = { [settings.managed]: 'false' }
      const original = { ...optedOut, [originalAnnotation]: '{"app":{"limit":"500m"}}' }
      await createPods(kube, [
        loadedPod('allocated', { annotations: optedOut }),
        loadedPod('foreign', { annotations: optedOut }),
      ])
      const resized = loadedPod('resized', { annotations: original })
      await kube.create(pods, resized, { fieldManager: fieldManagers.controller })
      await pass(5)
      const { uid: podUID = '' } = see('allocated').pod.metadata
      await kube.create(podAllocations, {
        apiVersion: 'allocation.mbcas.io/v1alpha1',
        kind: 'PodAllocation',
        metadata: { namespace: 'default', name: 'allocated' },
        spec: {
          podName: 'allocated',
          podUID,
          nodeName: 'node-0',
          desiredCPULimit: '500m',
          urgency: 'normal',
        },
      })
      const names = ['allocated', 'resized', 'foreign']
      for (const name of names) {
        const { pod } = see(name)
        const places = [placeOf(pod), ...lastingContainers(pod).flatMap(({ place }) => place ?? [])]
        writer.write(places.map((place) => ({ place, burstMicros: 50_000 })))
      }
      await replaceAgent()
      await pass(20)
      assert.deepEqual(
        names.map((name) => [see(name).burst, see(name).group]),
        [
          [0, { quota: 500, burst: 0 }],
          [0, { quota: 500, burst: 0 }],
          [500, { quota: 500, burst: 500 }],
        ],
      )
    })
  })
})
