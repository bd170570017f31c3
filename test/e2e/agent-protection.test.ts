/** Who is held back for whom, by quotas, and who is not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { settings } from '../../src/apis/names.ts'
import type { Pod } from '../../src/apis/pod.ts'
import { keyOfPod } from '../../src/core/pod-name.ts'
import type { LatencySource } from '../../src/ports/latency.ts'
import { hog, load, viewOf } from '../agent-scenes/hog.ts'
import { each } from '../each.ts'
import { annotate, createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

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
