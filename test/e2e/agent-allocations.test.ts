/** PodAllocations that somebody else deletes or rewrites: the agent watches those of its node. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { Fault } from '../../src/apis/fault-file.ts'
import { overrideAnnotation } from '../../src/apis/names.ts'
import { apiVersionOf } from '../../src/apis/object.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import { each } from '../each.ts'
import { allocationsIn, createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

const place = { namespace: 'default', name: 'web' }

const hangs: Fault = {
  kind: 'slow',
  share: 1,
  userAgent: 'agent',
  verbs: ['get', 'patch'],
  delayMillis: 60_000,
  retryAfterSeconds: 1,
  events: 0,
}

const clearingsIn = (metrics: string): number =>
  Number(/^mbcas_allocation_compute_duration_seconds_count\S* (\d+)$/m.exec(metrics)?.[1])

/** Every quarter of a second, for so long. */
async function watch<T>({ pass }: Platform, seconds: number, look: () => T): Promise<T[]> {
  const seen: T[] = []
  for (let i = 0; i < 4 * seconds; i++) {
    await pass(0.25)
    seen.push(look())
  }
  return seen
}

const steady = async (platform: Platform, load: string): Promise<void> => {
  await createPods(platform.kube, [loadedPod('web', { load, request: '100m', limit: '900m' })])
  await platform.pass(40)
}

void describe('a PodAllocation that is deleted', () => {
  each(
    [
      {
        name: 'of a busy pod is published again within seconds, and nothing swings',
        load: 'steady cpu=3',
      },
      { name: 'of a calm pod is, too', load: 'steady cpu=50m' },
    ],
    async ({ load }) => {
      await onPlatform({ cpus: 4 }, async (platform) => {
        await steady(platform, load)
        const { kube, see } = platform
        const before = (await allocationsIn(kube))['web']
        assert.ok(before !== undefined)
        const { limit = 0, quota = 0 } = see('web')
        await kube.remove(podAllocations, place)
        const found: boolean[] = []
        for (let i = 0; i < 8; i++) {
          await platform.pass(0.25)
          found.push((await allocationsIn(kube))['web'] !== undefined)
        }
        assert.ok(found.at(-1), 'it is there again after two seconds')
        const { spec } = (await allocationsIn(kube))['web'] ?? before
        assert.deepEqual(spec.containers, before.spec.containers)
        const after = await watch(platform, 30, () => see('web'))
        const least = (field: 'limit' | 'quota') =>
          Math.min(...after.map((one) => one[field] ?? Infinity))
        assert.ok(least('limit') >= 0.95 * limit, `limit ${limit} fell to ${least('limit')}`)
        assert.ok(least('quota') >= 0.95 * quota, `quota ${quota} fell to ${least('quota')}`)
      })
    },
  )

  void test('with its pod stays deleted', async () => {
    await onPlatform({ cpus: 4 }, async (platform) => {
      await steady(platform, 'steady cpu=50m')
      await platform.kube.remove(pods, place)
      await platform.pass(60)
      assert.deepEqual(await allocationsIn(platform.kube), {})
    })
  })
})

void describe('a PodAllocation that a person puts in place of one that is deleted', () => {
  const own = {
    apiVersion: apiVersionOf(podAllocations),
    kind: podAllocations.kind,
    metadata: { ...place, annotations: { [overrideAnnotation]: 'true' } },
    spec: {
      podName: 'web',
      desiredCPURequest: '200m',
      desiredCPULimit: '500m',
      urgency: 'normal' as const,
    },
  }

  void test('is theirs, though it names no node', async () => {
    await onPlatform({ cpus: 4, hasController: false }, async (platform) => {
      const { kube, pass, see, lines } = platform
      await steady(platform, 'steady cpu=3')
      assert.ok((see('web').quota ?? 0) > 900)
      await kube.remove(podAllocations, place)
      await kube.create(podAllocations, own)
      await pass(2)
      assert.equal(see('web').quota, see('web').limit)
      await pass(60)
      assert.deepEqual((await allocationsIn(kube))['web']?.spec, own.spec)
      assert.deepEqual(
        lines.filter((line) => line.includes('again')),
        [],
      )
    })
  })
})

void describe('many PodAllocations that are deleted while the API hangs', () => {
  void test('do not keep the market from clearing', async () => {
    await onPlatform({ cpus: 8 }, async ({ kube, cluster, pass, metrics }) => {
      const names = Array.from({ length: 8 }, (_, i) => `web-${i}`)
      await createPods(
        kube,
        names.map((name) => loadedPod(name, { load: 'steady cpu=200m' })),
      )
      await pass(40)
      for (const name of names) await kube.remove(podAllocations, { ...place, name })
      cluster.plant([hangs])
      const before = clearingsIn(metrics.render())
      await pass(50)
      assert.ok(clearingsIn(metrics.render()) - before >= 2)
      cluster.plant([])
      await pass(30)
      assert.deepEqual(Object.keys(await allocationsIn(kube)).toSorted(), names.toSorted())
    })
  })
})

void describe('a PodAllocation that somebody rewrites', () => {
  const rewrite = async ({ kube }: Platform, annotations: Readonly<Record<string, string>>) => {
    const amounts = { desiredCPURequest: '20m', desiredCPULimit: '200m' }
    const spec = { ...amounts, containers: [{ name: 'app', ...amounts }] }
    const body = { metadata: { annotations }, spec }
    await kube.patch(podAllocations, place, { type: 'merge', body })
  }

  void test('without owning it is as the agent wrote it within seconds', async () => {
    await onPlatform({ cpus: 4 }, async (platform) => {
      await steady(platform, 'steady cpu=50m')
      const before = (await allocationsIn(platform.kube))['web']
      await rewrite(platform, {})
      await platform.pass(2)
      const now = (await allocationsIn(platform.kube))['web']
      assert.deepEqual(now?.spec.containers, before?.spec.containers)
    })
  })

  void test('and owns is theirs from the next moment on, in the kernel too', async () => {
    await onPlatform({ cpus: 4, hasController: false }, async (platform) => {
      await steady(platform, 'steady cpu=3')
      const { quota = 0, limit } = platform.see('web')
      assert.ok(quota > 900)
      await rewrite(platform, { [overrideAnnotation]: 'true' })
      await platform.pass(1)
      assert.equal(platform.see('web').quota, limit)
      await platform.pass(60)
      assert.equal((await allocationsIn(platform.kube))['web']?.spec.desiredCPULimit, '200m')
    })
  })
})
