/** Shares that are sold as limits. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { settings } from '../../src/apis/names.ts'
import { namespaces } from '../../src/apis/namespace.ts'
import { nodes } from '../../src/apis/node.ts'
import { each } from '../each.ts'
import { annotate, createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

void describe('strict shares', () => {
  const greedy = (name: string, annotations = {}) =>
    loadedPod(name, { load: 'steady cpu=1900m threads=2', request: '300m', annotations })

  each<{ name: string; config?: object; choose?: (platform: Platform) => Promise<unknown> }>(
    [
      {
        name: 'are set by quotas where the operator wants them',
        config: { enforcement: 'strict' },
      },
      {
        name: 'on a node that is labelled so',
        choose: async ({ kube }) => {
          const body = { metadata: { labels: { [settings.enforcement]: 'strict' } } }
          return kube.patch(nodes, { name: 'node-0' }, { type: 'merge', body })
        },
      },
      {
        name: 'in a namespace that is labelled so',
        choose: async ({ kube }) => {
          const body = { metadata: { labels: { [settings.enforcement]: 'strict' } } }
          return kube.patch(namespaces, { name: 'default' }, { type: 'merge', body })
        },
      },
    ],
    async ({ config = {}, choose }) => {
      await onPlatform({ cpus: 2, config }, async (platform) => {
        const { kube, pass, see, useOver } = platform
        await choose?.(platform)
        await createPods(kube, [greedy('a'), greedy('b')])
        await pass(120)
        const [a, b] = [see('a'), see('b')]
        assert.deepEqual([a.quota, b.quota], [a.desired?.limit, b.desired?.limit])
        assert.ok(Math.abs((a.quota ?? 0) - (b.quota ?? 0)) <= 50, `${a.quota} ${b.quota}`)
        assert.ok((a.quota ?? 0) + (b.quota ?? 0) <= 2000)
        assert.equal(a.burst, a.quota)
        const [used = 0] = await useOver(20, 'a')
        assert.ok(used <= 1.02 * (a.quota ?? 0), `${used}m of ${a.quota}m`)
      })
    },
  )

  void test('by an annotation, beside pods that are elastic', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, pass, see, useOver }) => {
      await createPods(kube, [greedy('a', { [settings.enforcement]: 'strict' }), greedy('b')])
      await pass(120)
      assert.equal(see('a').quota, see('a').desired?.limit)
      assert.ok((see('a').quota ?? Infinity) < 1500, `${see('a').quota}`)
      assert.equal(see('b').quota, 2000)
      const [a = 0, b = 0] = await useOver(20, 'a', 'b')
      assert.ok(a <= 1.02 * (see('a').quota ?? 0) && a + b >= 1950, `${a} ${b}`)
    })
  })

  void test('that are chosen for a running pod are set once it has started, and open again', async () => {
    await onPlatform({ cpus: 2 }, async (platform) => {
      const { kube, pass, see } = platform
      await createPods(kube, [greedy('a'), greedy('b')])
      await pass(40)
      assert.equal(see('a').quota, 2000)
      await annotate(platform, 'a', { [settings.enforcement]: 'strict' })
      await pass(70) // nothing is lowered in its first 90 s
      assert.ok((see('a').quota ?? Infinity) < 1500, `${see('a').quota}`)
      await annotate(platform, 'a', { [settings.enforcement]: null })
      await pass(5)
      assert.equal(see('a').quota, 2000)
    })
  })
})
