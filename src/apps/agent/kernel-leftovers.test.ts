import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { createPods, loadedPod, onPlatform, type Platform } from '../../../test/platform.ts'
import { type MarketSettings, marketSettings, settingsName } from '../../apis/market-settings.ts'
import { fieldManagers, originalAnnotation, settings } from '../../apis/names.ts'
import { podAllocations } from '../../apis/pod-allocation.ts'
import { pods } from '../../apis/pod.ts'
import { lastingContainers, placeOf } from './pod-facts.ts'

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
      const annotations = { [settings.enforcement]: 'strict' }
      const pod400 = { load: 'steady cpu=900m', limit: '400m', annotations }
      await createPods(kube, [loadedPod('api', pod400)])
      await pass(20)
      const told = 1500
      const { pod } = see('api')
      const places = [placeOf(pod), ...lastingContainers(pod).flatMap(({ place }) => place ?? [])]
      // As the kubelet does, and the spec with the same change is not seen any more.
      writer.write(places.map((place) => ({ place, burstMicros: 0, quotaMicros: told * 100 })))
      await stop()
      const { quota, burst, group } = see('api')
      assert.deepEqual([quota, burst, group], [told, 0, { quota: told, burst: 0 }])
    })
  })

  void test('so does what it has set that we were never told of', async () => {
    const options = { cpus: 2, hasController: false }
    await onPlatform(options, async ({ kube, writer, pass, see, stop }) => {
      await createPods(kube, [
        loadedPod('busy', { load: 'steady cpu=900m', limit: '400m' }),
        loadedPod('calm', { load: 'steady cpu=300m', limit: '400m' }),
      ])
      await pass(20)
      const names = ['busy', 'calm']
      // As after a resize by a person, while the API does not answer us.
      for (const name of names) {
        const { pod } = see(name)
        const places = [placeOf(pod), ...lastingContainers(pod).flatMap(({ place }) => place ?? [])]
        writer.write(places.map((place) => ({ place, quotaMicros: 150_000 })))
      }
      await stop()
      assert.deepEqual(
        names.map((name) => [see(name).quota, see(name).burst, see(name).group]),
        names.map(() => [1500, 0, { quota: 1500, burst: 0 }]),
      )
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
      for (const name of ['resized', 'raised']) {
        const pod = loadedPod(name, { annotations: original })
        await kube.create(pods, pod, { fieldManager: fieldManagers.controller })
      }
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
      // Without burst, as where it is turned off.
      const raised = see('raised').pod
      const places = [
        placeOf(raised),
        ...lastingContainers(raised).flatMap(({ place }) => place ?? []),
      ]
      writer.write(places.map((place) => ({ place, quotaMicros: 80_000 })))
      await replaceAgent()
      await pass(20)
      assert.deepEqual([see('raised').quota, see('raised').group], [500, { quota: 500, burst: 0 }])
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

  // Without burst, as where it is turned off.
  const raise = ({ writer, see }: Platform, name: string): void => {
    const { pod } = see(name)
    const places = [placeOf(pod), ...lastingContainers(pod).flatMap(({ place }) => place ?? [])]
    writer.write(places.map((place) => ({ place, burstMicros: 0, quotaMicros: 80_000 })))
  }
  const setMode = async ({ kube }: Platform, mode: 'recommend' | 'off') =>
    kube.create<MarketSettings>(marketSettings, {
      metadata: { name: settingsName },
      spec: { mode },
    })

  each<{ name: string; mode: 'recommend' | 'off' }>(
    [
      {
        name: 'a raise that it left is undone where the cluster only recommends',
        mode: 'recommend',
      },
      { name: 'and where it is off', mode: 'off' },
    ],
    async ({ mode }) => {
      await onPlatform({ cpus: 4, hasController: false }, async (platform) => {
        const { kube, pass, see, replaceAgent } = platform
        await createPods(kube, [loadedPod('api', { load: 'steady cpu=300m' })])
        await pass(20)
        assert.ok(see('api').desired !== undefined)
        await setMode(platform, mode)
        await replaceAgent()
        raise(platform, 'api') // as by the one before, had it been killed
        await pass(20)
        assert.deepEqual([see('api').quota, see('api').group], [500, { quota: 500, burst: 0 }])
      })
    },
  )

  each<{ name: string; mode: 'recommend' | 'off' }>(
    [
      {
        name: 'what others raised stays where the cluster never did but recommend',
        mode: 'recommend',
      },
      { name: 'and where it was always off', mode: 'off' },
    ],
    async ({ mode }) => {
      await onPlatform({ cpus: 4, hasController: false }, async (platform) => {
        const { kube, pass, see, stop } = platform
        await setMode(platform, mode)
        await createPods(kube, [loadedPod('api', { load: 'steady cpu=300m' })])
        await pass(1)
        raise(platform, 'api')
        await pass(40)
        await stop()
        assert.deepEqual([see('api').quota, see('api').group], [800, { quota: 800, burst: 0 }])
      })
    },
  )
})
