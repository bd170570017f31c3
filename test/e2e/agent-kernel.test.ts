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

const KUBELETS = { quota: 400, burst: 0, group: { quota: 400, burst: 0 }, shares: 102 }

const inKernel = ({ see }: Platform) => {
  const { quota, burst, group, shares } = see('api')
  return { quota, burst, group, shares }
}

const resize = async ({ kube }: Platform, requests: string, limits: string) => {
  const resources = { requests: { cpu: requests }, limits: { cpu: limits } }
  const body = { spec: { containers: [{ name: 'app', resources }] } }
  await kube.patch(pods, { ...place, subresource: 'resize' }, { type: 'strategic', body })
}

/** Beside one that takes all it can, so that its weight is not what it requested. */
const crowded = [busy(), loadedPod('hog', { load: 'steady cpu=4 threads=8' })]

void describe('what the kubelet set', () => {
  each<{ name: string; end: (platform: Platform) => Promise<unknown> }>(
    [
      { name: 'is there again when the agent ends', end: async ({ stop }) => stop() },
      {
        name: 'and when it was killed and the next one leaves the pod alone',
        end: async (platform) => {
          const { writer, see, pass } = platform
          const { pod, shares } = see('api')
          await set(platform, { mode: 'off' })
          await pass(1)
          // As by one that was killed before.
          const group = { podUid: pod.metadata.uid ?? '', qosClass: 'Burstable' } as const
          writer.write([{ place: group, shares: 10 * shares }])
          await platform.replaceAgent()
          await pass(20)
        },
      },
    ],
    async ({ end }) => {
      await onPlatform({ cpus: 2, hasController: false }, async (platform) => {
        await createPods(platform.kube, crowded)
        await platform.pass(40)
        const { quota, shares } = platform.see('api')
        assert.equal(quota, 2000)
        assert.notEqual(shares, 102)
        await end(platform)
        assert.deepEqual(inKernel(platform), KUBELETS)
      })
    },
  )

  void test('by a resize is put aside within a sample, and comes back at the end', async () => {
    await onPlatform({ cpus: 2, hasController: false }, async (platform) => {
      const { kube, pass, see, stop, lines } = platform
      await createPods(kube, crowded)
      await pass(40)
      await resize(platform, '300m', '600m')
      await pass(1)
      assert.equal(see('api').limit, 600)
      assert.deepEqual([see('api').quota, see('api').group?.quota], [2000, 2000])
      assert.notEqual(see('api').shares, 307)
      assert.deepEqual(conditionsOf(platform), [])
      await pass(10)
      await stop()
      const group = { quota: 600, burst: 0 }
      assert.deepEqual(inKernel(platform), { quota: 600, burst: 0, group, shares: 307 })
      assert.ok(!lines.some((line) => line.includes('contested')))
    })
  })

  void test('by a resize is gone within hundredths of a second, whenever the next sample is', async () => {
    await onPlatform({ cpus: 2, hasController: false }, async (platform) => {
      const { kube, pass, see } = platform
      await createPods(kube, crowded)
      await pass(40)
      await resize(platform, '300m', '600m')
      let foreignMillis = 0
      for (let i = 0; i < 100; i += 1) {
        await pass(0.01)
        if (see('api').shares === 307) foreignMillis += 10
      }
      assert.equal(see('api').limit, 600)
      assert.ok(foreignMillis <= 30, `${foreignMillis} ms`)
    })
  })

  void test('somebody else sets at every sample is not fought over', async () => {
    await onPlatform({ cpus: 2, hasController: false }, async (platform) => {
      const { kube, pass, see, writer, lines } = platform
      await createPods(kube, crowded)
      await pass(40)
      const { uid: podUid = '' } = see('api').pod.metadata
      const group = { podUid, qosClass: 'Burstable' } as const
      const theirs: number[] = []
      for (let i = 0; i < 4 * 30; i++) {
        writer.write([{ place: group, shares: 5000 }])
        await pass(0.25)
        theirs.push(see('api').shares)
      }
      const contested = lines.filter((line) => line.startsWith('warn weight contested'))
      assert.equal(contested.length, 1, lines.slice(-30).join('\n'))
      assert.ok(theirs.slice(40).every((shares) => shares === 5000))
      await pass(60)
      assert.notEqual(see('api').shares, 5000)
    })
  })
})

void describe('CPU burst', () => {
  const strict = { [settings.enforcement]: 'strict' }

  void test('of a strict pod is its quota, of the container and of the pod, and undone on stop', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, pass, see, stop }) => {
      await createPods(kube, [busy(strict)])
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
      { name: 'is not needed where quotas are ceilings', annotations: {} },
      {
        name: 'is forbidden by an annotation',
        annotations: { ...strict, [settings.burst]: 'false' },
      },
      { name: 'and by the operator', annotations: strict, config: { enableBurst: false } },
      { name: 'and by a mount that is read-only', annotations: strict, writesKernel: false },
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
        const pod = { load: 'steady cpu=100m', limit: '800m', annotations: strict }
        await createPods(kube, [loadedPod('api', pod)])
        await pass(20)
        assert.ok(see('api').burst >= 800)
        await resize(platform, '100m', '300m')
        await pass(60)
        assert.deepEqual(conditionsOf(platform), [])
        const { limit, burst, quota = 0, desired } = see('api')
        assert.equal(limit, hasController ? desired?.limit : 300)
        assert.ok(burst <= quota)
      })
    },
  )
})

void describe('a kernel that cannot be written', () => {
  void test('leaves shares to requests, which follow what pods need', async () => {
    await onPlatform({ cpus: 2, writesKernel: false }, async (platform) => {
      const { kube, pass, see, useOver } = platform
      const light = { load: 'steady cpu=2 threads=4', request: '200m', limit: '' }
      const heavy = { ...light, annotations: { [settings.priorityMultiplier]: '3' } }
      await createPods(kube, [loadedPod('heavy', heavy), loadedPod('light', light)])
      await pass(240)
      const [first, second] = [see('heavy').request, see('light').request]
      assert.ok(first > 1.5 * second && first + second <= 2000, `${first} ${second}`)
      const [used = 0] = await useOver(20, 'heavy')
      assert.ok(used > 1200, `${used}m`)
    })
  })
})

void describe('who is to be left alone', () => {
  each<{ name: string; leave: (platform: Platform) => Promise<unknown> }>(
    [
      {
        name: 'opts out, and has its own quota and weight at the next sample',
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
        await createPods(kube, crowded)
        await pass(30)
        assert.ok((see('api').quota ?? 0) >= 900 && see('api').shares !== 102)
        await leave(platform)
        await pass(0.5)
        assert.deepEqual([inKernel(platform), see('api').limit], [KUBELETS, 400])
        await pass(30)
        assert.deepEqual(inKernel(platform), KUBELETS)
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
          const { quota = 400, burst, shares } = see('api')
          assert.deepEqual([quota, burst, shares || 102], [400, 0, 102])
        }
        assert.equal(see('api').desired?.request, isPublished ? 100 : undefined)
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
      assert.deepEqual(see('api').desired, { request: 100, limit: 400 })
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
      assert.equal(see('later').quota, 2000, 'what a person gives back is ours again')
    })
  })
})
