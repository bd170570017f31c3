import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import {
  type MarketSettings,
  marketSettings,
  settingsName,
} from '../../src/apis/market-settings.ts'
import { overrideAnnotation, settings } from '../../src/apis/names.ts'
import { namespaces } from '../../src/apis/namespace.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import { each } from '../each.ts'
import { createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

const place = { namespace: 'default', name: 'api' }
const busy = (annotations: Readonly<Record<string, string>> = {}) =>
  loadedPod('api', { load: 'steady cpu=900m', limit: '400m', annotations })

type Settings = MarketSettings['spec'] & object
const set = async ({ kube }: Platform, spec: Settings) =>
  kube.create<MarketSettings>(marketSettings, { metadata: { name: settingsName }, spec })

const annotate = async ({ kube }: Platform, annotations: Readonly<Record<string, string>>) =>
  kube.patch(pods, place, { type: 'merge', body: { metadata: { annotations } } })

const conditionsOf = ({ see }: Platform) =>
  (see('api').pod.status?.conditions ?? []).filter(({ type }) => type.startsWith('PodResize'))

void describe('CPU burst', () => {
  void test('is the quota, of the container and of the pod, and undone on stop', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, pass, see, stop }) => {
      await createPods(kube, [busy()])
      await pass(30)
      const { quota = 0, burst, group, limit } = see('api')
      assert.ok(quota >= 900)
      assert.deepEqual([burst, group], [quota, { quota, burst: quota }])
      await stop()
      assert.deepEqual([see('api').burst, see('api').group], [0, { quota: limit, burst: 0 }])
    })
  })

  each(
    [
      { name: 'is forbidden by an annotation', annotations: { [settings.burst]: 'false' } },
      { name: 'and by the operator', config: { enableBurst: false } },
      { name: 'and by a mount that is read-only', writesKernel: false },
    ],
    async ({ annotations, config = {}, writesKernel = true }) => {
      await onPlatform({ cpus: 2, config, writesKernel }, async ({ kube, pass, see }) => {
        await createPods(kube, [busy(annotations)])
        await pass(30)
        assert.deepEqual([(see('api').quota ?? 0) >= 900, see('api').burst], [true, 0])
      })
    },
  )

  each(
    [
      { name: 'gives way to a person who shrinks a pod', hasController: false },
      { name: 'and the market, which owns the pod, has its way in the end', hasController: true },
    ],
    async ({ hasController }) => {
      await onPlatform({ cpus: 2, hasController }, async (platform) => {
        const { kube, pass, see } = platform
        await createPods(kube, [loadedPod('api', { load: 'steady cpu=100m', limit: '800m' })])
        await pass(20)
        assert.ok(see('api').burst >= 800)
        const resources = { requests: { cpu: '100m' }, limits: { cpu: '300m' } }
        const body = { spec: { containers: [{ name: 'app', resources }] } }
        await kube.patch(pods, { ...place, subresource: 'resize' }, { type: 'strategic', body })
        await pass(1)
        assert.ok(see('api').burst <= 300 || hasController)
        await pass(20)
        assert.deepEqual(conditionsOf(platform), [])
        const { limit, group, desired } = see('api')
        assert.equal(limit, hasController ? desired?.limit : 300)
        assert.equal(group?.quota, limit)
        assert.ok(see('api').burst <= (limit ?? 0))
      })
    },
  )
})

void describe('who is to be left alone', () => {
  each<{ name: string; leave: (platform: Platform) => Promise<unknown> }>(
    [
      {
        name: 'opts out, and has its own quota at the next sample',
        leave: async (platform) => annotate(platform, { [settings.managed]: 'false' }),
      },
      {
        name: 'is turned off',
        leave: async (platform) => annotate(platform, { [settings.mode]: 'off' }),
      },
      {
        name: 'is only to be recommended for',
        leave: async (platform) => annotate(platform, { [settings.mode]: 'recommend' }),
      },
      {
        name: 'is turned off with its namespace',
        leave: async ({ kube }) => {
          const body = { metadata: { labels: { [settings.mode]: 'off' } } }
          return kube.patch(namespaces, { name: 'default' }, { type: 'merge', body })
        },
      },
      {
        name: 'is turned off with the whole cluster',
        leave: async (platform) => set(platform, { mode: 'off' }),
      },
      {
        name: 'is only to be recommended for, as all pods of the cluster',
        leave: async (platform) => set(platform, { mode: 'recommend' }),
      },
      {
        name: 'is in a namespace that the cluster excludes',
        leave: async (platform) => set(platform, { excludedNamespaces: ['default'] }),
      },
    ],
    async ({ leave }) => {
      await onPlatform({ cpus: 2, hasController: false }, async (platform) => {
        const { kube, pass, see } = platform
        await createPods(kube, [busy()])
        await pass(30)
        assert.ok((see('api').quota ?? 0) >= 900)
        await leave(platform)
        await pass(0.5)
        const { quota, burst, group, limit } = see('api')
        assert.deepEqual(
          { quota, burst, group, limit },
          {
            quota: 400,
            burst: 0,
            group: { quota: 400, burst: 0 },
            limit: 400,
          },
        )
        await pass(30)
        assert.deepEqual([see('api').quota, see('api').burst], [400, 0])
      })
    },
  )

  each<{ name: string; spec: Settings; isPublished: boolean }>(
    [
      {
        name: 'is published for and untouched where the cluster only recommends',
        spec: { mode: 'recommend' },
        isPublished: true,
      },
      {
        name: 'is neither published for nor touched where the cluster is off',
        spec: { mode: 'off' },
        isPublished: false,
      },
      {
        name: 'nor where its namespace is excluded',
        spec: { excludedNamespaces: ['default'] },
        isPublished: false,
      },
    ],
    async ({ spec, isPublished }) => {
      await onPlatform({ cpus: 2 }, async (platform) => {
        const { kube, pass, see } = platform
        await set(platform, spec)
        await createPods(kube, [busy({ [settings.mode]: 'auto' })])
        for (let i = 0; i < 60; i++) {
          await pass(0.5)
          assert.deepEqual([see('api').quota ?? 400, see('api').burst], [400, 0])
        }
        assert.equal((see('api').desired?.limit ?? 0) >= 900, isPublished)
        await kube.remove(marketSettings, { name: settingsName })
        await pass(30)
        assert.ok((see('api').quota ?? 0) >= 900, 'without settings the defaults hold again')
      })
    },
  )

  void test('in mode recommend is published for, and untouched', async () => {
    await onPlatform({ cpus: 2, hasController: false }, async ({ kube, pass, see }) => {
      await createPods(kube, [busy({ [settings.mode]: 'recommend' })])
      for (let i = 0; i < 60; i++) {
        await pass(0.5)
        assert.deepEqual([see('api').quota ?? 400, see('api').burst], [400, 0])
      }
      assert.ok((see('api').desired?.limit ?? 0) >= 900)
    })
  })

  void test('is owned by a person, from before the pod or since', async () => {
    await onPlatform({ cpus: 2 }, async (platform) => {
      const { kube, pass, see } = platform
      const annotations = { [overrideAnnotation]: 'true' }
      await kube.create(podAllocations, {
        apiVersion: 'allocation.mbcas.io/v1alpha1',
        kind: 'PodAllocation',
        metadata: { ...place, annotations },
        spec: {
          podName: 'api',
          nodeName: 'node-0',
          desiredCPURequest: '100m',
          desiredCPULimit: '300m',
          urgency: 'normal',
        },
      })
      await createPods(kube, [
        loadedPod('api', { limit: '400m' }),
        loadedPod('later', { load: 'steady cpu=900m' }),
      ])
      await pass(30)
      assert.deepEqual([see('api').limit, see('api').quota, see('api').burst], [300, 300, 0])
      assert.ok((see('later').quota ?? 0) >= 900)
      const spec = {
        desiredCPURequest: '100m',
        desiredCPULimit: '350m',
        containers: [{ name: 'app', desiredCPURequest: '100m', desiredCPULimit: '350m' }],
      }
      const body = { metadata: { annotations }, spec }
      await kube.patch(podAllocations, { ...place, name: 'later' }, { type: 'merge', body })
      await pass(60)
      assert.deepEqual([see('later').limit, see('later').quota, see('later').burst], [350, 350, 0])
      const release = { metadata: { annotations: { [overrideAnnotation]: null } } }
      const given = { type: 'merge', body: release } as const
      await kube.patch(podAllocations, { ...place, name: 'later' }, given)
      await pass(60)
      assert.ok((see('later').limit ?? 0) >= 900, 'what a person gives back is ours again')
    })
  })
})
