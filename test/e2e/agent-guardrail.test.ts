/** How a node is shared: who goes first, and who may use what. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { limitRanges } from '../../src/apis/limit-range.ts'
import { settings } from '../../src/apis/names.ts'
import { namespaces } from '../../src/apis/namespace.ts'
import { pods } from '../../src/apis/pod.ts'
import { keyOfPod } from '../../src/core/pod-name.ts'
import type { LatencySource } from '../../src/ports/latency.ts'
import { hog, load, viewOf } from '../agent-scenes/hog.ts'
import { each } from '../each.ts'
import { annotate, createPods, loadedPod, onPlatform } from '../platform.ts'

void describe('what a pod requested is its own', () => {
  each(
    [
      { name: 'one that slept has it at once when it wakes beside a hog', hogged: {} },
      { name: 'also beside one with a limit', hogged: { limit: '4' } },
      { name: 'beside an equal', hogged: { request: '900m' } },
      {
        name: 'beside one of another namespace that made up a target',
        hogged: { namespace: 'lab', annotations: { [settings.targetLatencyMs]: '1' } },
      },
      {
        name: 'and beside one that takes no part',
        hogged: { annotations: { [settings.managed]: 'false' } },
      },
    ],
    async ({ hogged }) => {
      await onPlatform({ cpus: 2 }, async (platform) => {
        const { kube, pass, useOver } = platform
        await kube.create(namespaces, { metadata: { name: 'lab' } })
        await createPods(kube, [hog(hogged), loadedPod('api', { request: '1', limit: '' })])
        await pass(30)
        load(platform, 'api', 'steady cpu=1')
        const [first = 0] = await useOver(1, 'api')
        assert.ok(first >= 950, `${first}m in the first second`)
        const [then = 0, rest = 0] = await useOver(20, 'api', 'hog')
        assert.ok(then >= 980 && rest >= 980, `${then}m, and ${rest}m for the hog`)
      })
    },
  )

  void test('also beside pods that slept until their requests were low and are ended slowly', async () => {
    await onPlatform({ cpus: 4 }, async (platform) => {
      const { kube, pass, useOver } = platform
      const old = ['old-0', 'old-1']
      for (const name of old) {
        const annotations = { 'sim.mbcas.io/ignores-term': 'true' }
        const pod = loadedPod(name, { request: '3', limit: '', annotations })
        const spec = { ...pod.spec, terminationGracePeriodSeconds: 100_000 }
        await createPods(kube, [{ ...pod, spec }])
        await pass(180)
        await kube.remove(pods, { namespace: 'default', name })
      }
      const victim = { load: 'steady cpu=3 threads=4', request: '3', limit: '' }
      await createPods(kube, [loadedPod('victim', victim)])
      await pass(40)
      for (const name of old) load(platform, name, 'steady cpu=4 threads=4')
      await pass(5)
      const [used = 0] = await useOver(20, 'victim')
      assert.ok(used >= 2950, `${used}m`)
    })
  })

  void test('beside a tenant that chose to be strict, and was sold what others left', async () => {
    await onPlatform({ cpus: 4 }, async (platform) => {
      const { kube, pass, useOver } = platform
      const annotations = { [settings.enforcement]: 'strict' }
      const service = { request: '1', limit: '' }
      await createPods(kube, [
        hog({ request: '1', limit: '4', annotations }),
        loadedPod('a', service),
        loadedPod('b', service),
      ])
      await pass(120)
      for (const name of ['a', 'b']) load(platform, name, 'steady cpu=1')
      await pass(0.5)
      const [a = 0, b = 0] = await useOver(1.5, 'a', 'b')
      assert.ok(a >= 980 && b >= 980, `${a}m ${b}m`)
    })
  })

  void test('whoever stays within it goes first, without any annotation', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, pass, see }) => {
      const service = { load: 'requests rate=60 cpu=10ms threads=4', request: '1', limit: '' }
      await createPods(kube, [hog({ request: '900m' }), loadedPod('api', service)])
      await pass(20)
      for (let i = 0; i < 40; i++) {
        await pass(0.25)
        assert.ok(see('api').shares >= 10 * see('hog').shares)
      }
    })
  })

  void test('also of who takes no part, beside a hog that made up a target', async () => {
    await onPlatform({ cpus: 2 }, async (platform) => {
      const { kube, pass, see, useOver } = platform
      const annotations = { [settings.managed]: 'false' }
      await createPods(kube, [
        hog({ annotations: { [settings.targetLatencyMs]: '1' } }),
        loadedPod('api', { request: '1', limit: '', annotations }),
      ])
      await pass(30)
      load(platform, 'api', 'steady cpu=1')
      const [used = 0] = await useOver(20, 'api')
      assert.ok(used >= 900, `${used}m`)
      assert.equal(see('api').shares, 1024)
    })
  })

  void test('a Guaranteed pod that takes part has it too', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, pass, useOver, see }) => {
      const annotations = { [settings.guaranteed]: 'manage' }
      const size = { request: '800m', limit: '800m', memory: '64Mi' }
      await createPods(kube, [loadedPod('db', { load: 'steady cpu=800m', ...size, annotations })])
      await pass(20)
      const [used] = await useOver(10, 'db')
      assert.equal(used, 800)
      assert.equal(see('db').pod.status?.qosClass, 'Guaranteed')
    })
  })
})

void describe('idle CPU', () => {
  void test('is for who can use it, beyond its limit, seconds after it came', async () => {
    await onPlatform({ cpus: 2, hasController: false }, async ({ kube, pass, useOver, see }) => {
      const pod = loadedPod('api', { load: 'steady cpu=900m', limit: '300m' })
      await pass(5)
      await createPods(kube, [pod])
      await pass(4)
      assert.deepEqual(await useOver(5, 'api'), [900])
      assert.equal(see('api').limit, 300)
    })
  })

  void test('beside it nobody suffers, however late it is, and nobody is held back', async () => {
    const slow: LatencySource = {
      where: 'a test',
      close() {},
      read: async (asked) => ({
        unusable: 0,
        p99Millis: new Map(asked.map((pod) => [keyOfPod(pod), 900])),
      }),
    }
    await onPlatform({ cpus: 4, latency: slow }, async (platform) => {
      const { kube, pass, metrics, lines } = platform
      const annotations = { [settings.targetLatencyMs]: '100' }
      await createPods(kube, [
        loadedPod('api', { load: 'steady cpu=300m', annotations }),
        hog({ load: 'steady cpu=2 threads=2' }),
      ])
      for (let i = 0; i < 60; i++) {
        await pass(0.5)
        for (const { isSuffering, heldTo } of platform.agent.view().pods) {
          assert.deepEqual([isSuffering, heldTo], [false, undefined])
        }
      }
      assert.match(metrics.render(), /^mbcas_fast_guardrail_triggers_total 0$/m)
      assert.ok(!lines.some((line) => line.includes('pod held back')))
    })
  })
})

void describe('a ceiling', () => {
  each(
    [
      { name: 'set on a pod with a limit holds within a second', limit: '1' },
      { name: 'and on one without', limit: '' },
    ],
    async ({ limit }) => {
      await onPlatform({ cpus: 4 }, async (platform) => {
        const { kube, pass, useOver, see } = platform
        await createPods(kube, [hog({ limit })])
        await pass(30)
        assert.deepEqual(await useOver(5, 'hog'), [4000])
        await annotate(platform, 'hog', { [settings.maxCpu]: '600m' })
        await pass(1)
        assert.deepEqual([see('hog').quota, see('hog').group?.quota], [600, 600])
        // The controller lowers the limit in steps, and the kubelet sets each for a moment.
        await pass(10)
        const [used = 0] = await useOver(20, 'hog')
        assert.ok(used <= 606, `${used}m`)
        await annotate(platform, 'hog', { [settings.maxCpu]: null })
        await pass(1)
        const [again = 0] = await useOver(10, 'hog')
        assert.ok(again >= 3900, `${again}m`)
      })
    },
  )

  void test('of a LimitRange holds, whatever is idle', async () => {
    await onPlatform({ cpus: 4 }, async ({ kube, pass, useOver }) => {
      await kube.create(limitRanges, {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'bounds', namespace: 'default' },
        spec: { limits: [{ type: 'Container', max: { cpu: '1500m' } }] },
      })
      await createPods(kube, [hog({ limit: '1' })])
      await pass(20)
      const [used = 0] = await useOver(20, 'hog')
      assert.ok(used >= 1480 && used <= 1510, `${used}m`)
    })
  })

  void test('below what it requested is kept all the same', async () => {
    await onPlatform({ cpus: 4 }, async ({ kube, pass, useOver }) => {
      const annotations = { [settings.maxCpu]: '300m' }
      await createPods(kube, [hog({ request: '1', annotations })])
      await pass(20)
      const [used = 0] = await useOver(10, 'hog')
      assert.ok(used <= 303, `${used}m`)
    })
  })
})

void describe('a floor that is raised on a running pod', () => {
  void test('counts within a second or two', async () => {
    await onPlatform({ cpus: 2 }, async (platform) => {
      const { kube, pass, useOver } = platform
      const annotations = { [settings.minCpu]: '100m' }
      const both = { load: 'steady cpu=2 threads=4', request: '900m', limit: '' }
      await createPods(kube, [loadedPod('a', { ...both, annotations }), loadedPod('b', both)])
      await pass(40)
      const entitled = () => viewOf(platform, 'a').bid?.entitled
      assert.equal(entitled(), 100)
      const [before = 0] = await useOver(10, 'a')
      assert.ok(before < 800, `${before}m`)
      await annotate(platform, 'a', { [settings.minCpu]: '900m' })
      await pass(2.5)
      assert.equal(entitled(), 900)
      const [after = 0] = await useOver(20, 'a')
      assert.ok(after >= 900, `${after}m`)
    })
  })
})
