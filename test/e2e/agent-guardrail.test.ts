/** How a node is shared: who goes first, who may use what, and who is held back for whom. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { limitRanges } from '../../src/apis/limit-range.ts'
import { parseLoad } from '../../src/apis/load.ts'
import { settings } from '../../src/apis/names.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import { keyOfPod } from '../../src/core/pod-name.ts'
import type { LatencySource } from '../../src/ports/latency.ts'
import { each } from '../each.ts'
import { annotate, createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

const hog = (given: Parameters<typeof loadedPod>[1] = {}) =>
  loadedPod('hog', { load: 'steady cpu=4 threads=8', limit: '', ...given })

/** From now on. */
function load({ cluster, see }: Platform, name: string, words: string): void {
  const id = see(name).pod.status?.containerStatuses?.[0]?.containerID?.replace(/^.*\//, '') ?? ''
  cluster.kernels.get('node-0')?.setLoad(id, parseLoad(words))
}

const viewOf = ({ agent }: Platform, name: string) => {
  const found = agent.view().pods.find((pod) => pod.name === name)
  assert.ok(found)
  return found
}

void describe('what a pod requested is its own', () => {
  each(
    [
      { name: 'one that slept has it at once when it wakes beside a hog', hogged: {} },
      { name: 'also beside one with a limit', hogged: { limit: '4' } },
      { name: 'beside an equal', hogged: { request: '900m' } },
      {
        name: 'beside one that made up a target',
        hogged: { annotations: { [settings.targetLatencyMs]: '1' } },
      },
      {
        name: 'and beside one that takes no part',
        hogged: { annotations: { [settings.managed]: 'false' } },
      },
    ],
    async ({ hogged }) => {
      await onPlatform({ cpus: 2 }, async (platform) => {
        const { kube, pass, useOver } = platform
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

void describe('protection', () => {
  /** A service whose latency a test tells, beside two that take all they can. */
  const scene = async (
    work: (platform: Platform, tell: (p99Millis: number) => void) => Promise<void>,
    { greedy = hog({ request: '400m' }), ...config }: object & { readonly greedy?: Pod } = {},
  ) => {
    let p99 = 20
    const latency: LatencySource = {
      where: 'a test',
      close() {},
      read: async (asked) => ({
        unusable: 0,
        p99Millis: new Map(
          asked.filter(({ name }) => name === 'api').map((pod) => [keyOfPod(pod), p99]),
        ),
      }),
    }
    await onPlatform({ cpus: 2, latency, config }, async (platform) => {
      const annotations = { [settings.targetLatencyMs]: '100' }
      await createPods(platform.kube, [
        loadedPod('api', { load: 'steady cpu=300m', request: '500m', annotations }),
        greedy,
        loadedPod('batch', { load: 'steady cpu=4 threads=8', request: '200m', limit: '2' }),
      ])
      await platform.pass(40)
      await work(platform, (p99Millis) => void (p99 = p99Millis))
    })
  }
  const heldIn = (platform: Platform) =>
    ['api', 'hog', 'batch'].map((name) => viewOf(platform, name).heldTo)

  void test('begins after two seconds, takes only from takers, never below their own, and ends', async () => {
    await scene(async (platform, tell) => {
      const { pass, see, lines, metrics } = platform
      assert.deepEqual(heldIn(platform), [undefined, undefined, undefined])
      tell(150)
      await pass(1.5)
      assert.deepEqual(heldIn(platform), [undefined, undefined, undefined])
      await pass(3)
      const [api, hogged = 0, batch = 0] = heldIn(platform)
      assert.equal(api, undefined)
      assert.ok(hogged > 0 && batch > 0, `${hogged} ${batch}`)
      assert.deepEqual([see('hog').quota, see('batch').quota], [hogged, batch])
      for (let i = 0; i < 20; i++) {
        await pass(0.25)
        const [, first = Infinity, second = Infinity] = heldIn(platform)
        assert.ok(first >= 400 && second >= 200, `${first} ${second}`)
      }
      tell(20)
      await pass(30)
      assert.deepEqual(heldIn(platform), [undefined, undefined, undefined])
      assert.deepEqual([see('hog').quota, see('batch').quota], [undefined, 2000])
      const said = (message: string) => lines.filter((line) => line.includes(message)).length
      const triggered = said('warn pod held back')
      assert.ok(triggered >= 2, `${triggered}`)
      assert.equal(said('info pod no longer held back'), triggered)
      const counted = new RegExp(`^mbcas_fast_guardrail_triggers_total ${triggered}$`, 'm')
      assert.match(metrics.render(), counted)
    })
  })

  void test('holds who starts again in the middle of it', async () => {
    const greedy = hog({ request: '1200m' })
    const command = ['sh', '-c', 'sleep 45; exit 1']
    const containers = greedy.spec.containers.map((one) => Object.assign({}, one, { command }))
    const crashes: Pod = { ...greedy, spec: { containers } }
    await scene(
      async (platform, tell) => {
        const { kube, pass, see } = platform
        // It keeps the node full.
        const annotations = { [settings.managed]: 'false' }
        await createPods(kube, [
          loadedPod('other', { load: 'steady cpu=2', limit: '', annotations }),
        ])
        const restarts = () => see('hog').pod.status?.containerStatuses?.[0]?.restartCount
        assert.equal(restarts(), 0)
        tell(150)
        await pass(4)
        assert.deepEqual([restarts(), see('hog').quota], [0, 1200])
        await pass(4)
        assert.deepEqual([restarts(), see('hog').quota, heldIn(platform)[1]], [1, 1200, 1200])
      },
      { greedy: crashes },
    )
  })

  void test('takes from who made up a target that nobody measures', async () => {
    await scene(async (platform, tell) => {
      await annotate(platform, 'batch', { [settings.targetLatencyMs]: '1' })
      tell(150)
      await platform.pass(4.5)
      const [, , batch = 0] = heldIn(platform)
      assert.ok(batch > 0)
    })
  })

  void test('not for one that its own ceiling holds', async () => {
    await scene(async (platform, tell) => {
      await annotate(platform, 'api', { [settings.maxCpu]: '200m' })
      await platform.pass(5)
      tell(150)
      for (let i = 0; i < 20; i++) {
        await platform.pass(0.5)
        assert.deepEqual(heldIn(platform), [undefined, undefined, undefined])
      }
    })
  })

  void test('can be turned off', async () => {
    const config = { enableFastGuardrail: false }
    await scene(async (platform, tell) => {
      tell(150)
      await platform.pass(10)
      assert.deepEqual(heldIn(platform), [undefined, undefined, undefined])
    }, config)
  })
})

void describe('latency that cannot be known', () => {
  each<{ name: string; answer: (asked: number) => number | 'fails' | 'never' }>(
    [
      { name: 'because nobody can tell it holds nothing up', answer: () => 'fails' },
      { name: 'because no answer comes does not either', answer: () => 'never' },
      { name: 'now and then does not', answer: (n) => (n % 2 === 0 ? 'fails' : 50) },
    ],
    async ({ answer }) => {
      let asked = 0
      const latency: LatencySource = {
        where: 'a test',
        close() {},
        read: async (named, signal) => {
          asked += 1
          const said = answer(asked)
          if (said === 'fails') throw new Error('away')
          if (said === 'never') {
            return new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('ended')))
            })
          }
          return { unusable: 0, p99Millis: new Map(named.map((pod) => [keyOfPod(pod), said])) }
        },
      }
      await onPlatform({ cpus: 2, latency }, async (platform) => {
        const { kube, pass, useOver } = platform
        const annotations = { [settings.targetLatencyMs]: '100' }
        await createPods(kube, [hog(), loadedPod('api', { request: '1', limit: '', annotations })])
        await pass(20)
        load(platform, 'api', 'steady cpu=1')
        const [used = 0] = await useOver(5, 'api')
        assert.ok(used >= 980, `${used}m`)
      })
    },
  )
})
