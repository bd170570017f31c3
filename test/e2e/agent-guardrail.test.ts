import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'

import { settings } from '../../src/apis/names.ts'
import { keyOfPod } from '../../src/core/pod-name.ts'
import type { LatencySource } from '../../src/ports/latency.ts'
import { each } from '../each.ts'
import { followPublications } from '../node-view.ts'
import { createPods, loadedPod, onPlatform, type Platform } from '../platform.ts'

/** Three times as much CPU from the 140th second of its container on. */
const STEP = 'bursty low=300m high=900m every=140s for=40s'
const NOW = 140

/** Seconds from now until it holds, looked at as often as the agent looks. */
async function secondsUntil(
  { pass }: Pick<Platform, 'pass'>,
  holds: () => boolean,
  most = 30,
): Promise<number> {
  for (let seconds = 0; seconds <= most; seconds += 0.25) {
    if (holds()) return seconds
    await pass(0.25)
  }
  return Infinity
}

const startOf = ({ see }: Platform, name: string): number =>
  Date.parse(see(name).pod.status?.containerStatuses?.[0]?.state?.running?.startedAt ?? '')

/** Goes on to a moment in the life of a pod. */
async function passUntil(platform: Platform, name: string, seconds: number): Promise<void> {
  const { pass, cluster } = platform
  await pass((startOf(platform, name) + seconds * 1000 - cluster.agenda.wall()) / 1000)
}

/** They share what is idle, so that nobody has much of it. */
const crowd = Array.from({ length: 4 }, (_, i) =>
  loadedPod(`other-${i}`, { load: 'steady cpu=150m' }),
)

void describe('a load three times as high', () => {
  const step = async (t: TestContext, options: { seed: number; writesKernel: boolean }) => {
    let took = Infinity
    await onPlatform({ cpus: 2, ...options }, async (platform) => {
      const { kube, pass, see, cluster } = platform
      await createPods(kube, [loadedPod('api', { load: STEP }), ...crowd])
      await pass(2)
      await passUntil(platform, 'api', NOW)
      assert.ok((see('api').quota ?? 0) < 600, 'it has less than it will need')
      const published = followPublications(cluster)
      took = await secondsUntil(platform, () => (see('api').quota ?? 0) >= 900)
      // Of what the kernel has, a fifth may wait for the next clearing.
      const told = await secondsUntil(platform, () => (see('api').limit ?? 0) >= 900 / 1.2)
      t.diagnostic(`seed ${options.seed}: quota after ${took} s, limit ${told} s later`)
      assert.ok(told <= 2, `told ${told} s later`)
      assert.equal(published.find(({ pod }) => pod === 'api')?.urgency, 'guardrail')
    })
    return took
  }

  void test('has its quota within a second or two, and the API is told right after', async (t) => {
    for (const seed of [1, 3]) {
      const took = await step(t, { seed, writesKernel: true })
      assert.ok(took <= 1.5, `${took} s`)
    }
  })

  void test('where the kernel is read-only, within a few seconds through the API', async (t) => {
    const took = await step(t, { seed: 3, writesKernel: false })
    assert.ok(took <= 4, `${took} s`)
  })
})

void describe('the guardrail', () => {
  void test('raises at the expense of lighter bids, not below what the market leaves them', async () => {
    await onPlatform({ cpus: 2 }, async (platform) => {
      const { kube, pass, see } = platform
      const annotations = { [settings.priorityMultiplier]: '4' }
      const heavy = loadedPod('heavy', {
        load: 'bursty low=200m high=1700m every=140s for=40s threads=2',
        request: '250m',
        annotations,
      })
      const floored = { [settings.minCpu]: '250m' }
      const light = loadedPod('light', {
        load: 'steady cpu=1400m threads=2',
        request: '250m',
        annotations: floored,
      })
      await createPods(kube, [heavy, light])
      await pass(2)
      await passUntil(platform, 'heavy', NOW - 1)
      assert.ok((see('light').quota ?? 0) >= 1400, 'it has what it uses')
      await pass(1)
      const took = await secondsUntil(platform, () => (see('heavy').quota ?? 0) >= 1100)
      assert.ok(took <= 4, `${took} s`)
      await pass(2)
      // 1800m: floors of 100m and 250m, and of 1450m above them four fifths and one.
      assert.ok(Math.abs((see('light').quota ?? 0) - 540) < 40, `${see('light').quota}`)
      assert.ok((see('heavy').quota ?? 0) + (see('light').quota ?? 0) <= 1800)
    })
  })

  void test('lends nobody idle CPU for long whom an equal with a target needs it from', async () => {
    await onPlatform({ cpus: 2 }, async (platform) => {
      const { kube, pass, see } = platform
      const annotations = { [settings.targetLatencyMs]: '100' }
      const calm = { load: 'steady cpu=250m', limit: '300m', annotations }
      await createPods(
        kube,
        ['a', 'b', 'c', 'd'].map((name) => loadedPod(name, calm)),
      )
      await pass(40)
      assert.ok((see('a').limit ?? 0) > 420, 'what is idle is lent')
      const coming = { load: 'requests rate=60 cpu=10ms threads=4', limit: '300m', annotations }
      await createPods(kube, [loadedPod('api', coming)])
      await pass(2)
      const took = await secondsUntil(platform, () => (see('api').quota ?? 0) >= 600)
      assert.ok(took <= 12, `${took} s`)
    })
  })

  void test('takes nothing from bids of equal weight that need what they have', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, pass, see }) => {
      await createPods(kube, [
        loadedPod('a', { load: 'steady cpu=1400m threads=2', limit: '900m' }),
        loadedPod('b', { load: 'steady cpu=1400m threads=2', limit: '900m' }),
      ])
      for (let i = 0; i < 100; i++) {
        await pass(0.5)
        if (see('a').desired && see('b').desired)
          assert.deepEqual([see('a').quota, see('b').quota], [900, 900])
      }
    })
  })
})

void describe('latency', () => {
  type Answer = (asked: number) => number | 'fails' | 'never'
  const sourceOf = (answer: Answer): LatencySource => {
    let asked = 0
    return {
      where: 'a test',
      close() {},
      read: async (pods, signal) => {
        asked += 1
        const said = answer(asked)
        if (said === 'fails') throw new Error('away')
        if (said === 'never') {
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('ended')))
          })
        }
        return { unusable: 0, p99Millis: new Map(pods.map((pod) => [keyOfPod(pod), said])) }
      },
    }
  }
  const targets = { [settings.targetLatencyMs]: '100', [settings.maxCpu]: '2' }

  void test('above its target raises within two seconds, without any throttling', async () => {
    let p99 = 20
    await onPlatform(
      { cpus: 4, latency: sourceOf(() => p99), config: { costEfficiencyMode: true } },
      async (platform) => {
        const { kube, pass, see } = platform
        await createPods(kube, [
          loadedPod('api', { load: 'steady cpu=200m', annotations: targets }),
        ])
        await pass(150)
        const before = see('api').quota ?? 0
        p99 = 300
        const took = await secondsUntil(platform, () => (see('api').quota ?? 0) >= 1.39 * before)
        assert.ok(took <= 2.5, `${took} s from ${before}m, ${see('api').quota}m`)
        await pass(1)
        assert.match(see('api').allocation?.spec.decision?.reason ?? '', /p99 300 ms of 100 ms/)
        assert.equal(see('api').allocation?.spec.urgency, 'guardrail')
      },
    )
  })

  each(
    [
      { name: 'forbids to lower a pod until 30 s after it is good again', config: {}, least: 30 },
      {
        name: 'or as long as the operator says',
        config: { guardrailCooldown: '1s' },
        least: 1,
      },
    ],
    async ({ config, least }) => {
      let p99 = 150
      await onPlatform({ cpus: 2, latency: sourceOf(() => p99), config }, async (platform) => {
        const { kube, pass, cluster } = platform
        await createPods(kube, [loadedPod('api', { limit: '1', annotations: targets }), ...crowd])
        await pass(150)
        const published = followPublications(cluster)
        const isLowered = () =>
          published.some(({ pod, limit = 1000 }) => pod === 'api' && limit < 1000)
        await pass(60)
        assert.ok(!isLowered())
        p99 = 20
        const took = await secondsUntil(platform, isLowered, 60)
        assert.ok(took >= least && took <= least + 20, `${took} s`)
      })
    },
  )

  each<{ name: string; answer: Answer }>(
    [
      { name: 'that nobody can tell does not hold up throttling', answer: () => 'fails' },
      { name: 'that is never told does not either', answer: () => 'never' },
      { name: 'that fails now and then does not', answer: (n) => (n % 2 === 0 ? 'fails' : 50) },
    ],
    async ({ answer }) => {
      await onPlatform({ cpus: 4, latency: sourceOf(answer) }, async (platform) => {
        const { kube, pass, see } = platform
        const load = 'steady cpu=900m'
        await createPods(kube, [loadedPod('api', { load, limit: '300m', annotations: targets })])
        await pass(1)
        const took = await secondsUntil(platform, () => (see('api').quota ?? 0) >= 900)
        assert.ok(took <= 4, `${took} s`)
      })
    },
  )
})

void describe('a pod that starts', () => {
  void test('is protected within three seconds, and not lowered within its grace', async (t) => {
    await onPlatform({ cpus: 4 }, async (platform) => {
      const { kube, pass, see } = platform
      await pass(4)
      await createPods(kube, [
        loadedPod('busy', { load: 'steady cpu=900m', limit: '300m' }),
        loadedPod('lazy', { limit: '2' }),
      ])
      await pass(0.25)
      const took = await secondsUntil(platform, () => (see('busy').quota ?? 0) >= 900)
      const started = (platform.cluster.agenda.wall() - startOf(platform, 'busy')) / 1000
      t.diagnostic(`protected ${started.toFixed(2)} s after its start`)
      assert.ok(took <= 4 && started <= 3, `${took} s, ${started} s after its start`)
      await passUntil(platform, 'lazy', 88)
      assert.deepEqual([see('lazy').limit, see('lazy').allocation], [2000, undefined])
      await pass(20)
      assert.ok((see('lazy').desired?.limit ?? Infinity) < 2000)
    })
  })
})
