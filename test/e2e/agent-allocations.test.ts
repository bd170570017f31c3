/** PodAllocations that somebody else deletes or rewrites: the agent watches those of its node. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { overrideAnnotation } from '../../src/apis/names.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import { each } from '../each.ts'
import { allocationsIn, createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

const place = { namespace: 'default', name: 'web' }

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
