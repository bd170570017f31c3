import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { limitRanges } from '../../src/apis/limit-range.ts'
import { mirrorAnnotation, settings } from '../../src/apis/names.ts'
import { namespaces } from '../../src/apis/namespace.ts'
import { millicoresIn } from '../../src/apis/pod-allocation.ts'
import type { Pod } from '../../src/apis/pod.ts'
import { each } from '../each.ts'
import { followPublications } from '../node-view.ts'
import { createPods, loadedPod, marketIn, onPlatform, type Platform } from '../platform.ts'

const onNode = (pod: Pod): Pod => ({ ...pod, spec: { ...pod.spec, nodeName: 'node-0' } })

/** After start-up and the first decreases. */
const SETTLED_SECONDS = 100
const MINUTE = 59.9

void describe('a steady load', () => {
  const loads = {
    even: 'steady cpu=400m',
    poisson: 'requests rate=50 cpu=8ms threads=4',
    exponential: 'requests rate=20 cpu=10ms spread=exponential threads=4',
  }
  each(
    [
      { name: 'is told at most once a minute over ten', cpus: 8, seconds: 600, seed: 1 },
      { name: 'with other chances too', cpus: 8, seconds: 240, seed: 2 },
      { name: 'and with others', cpus: 8, seconds: 240, seed: 3 },
      // There the first decreases make room, and who gets it is told once more.
      { name: 'and where CPU is short', cpus: 1, seconds: 300, seed: 4, from: 165 },
    ],
    async ({ cpus, seconds, seed, from = 0 }) => {
      await onPlatform({ cpus, seed }, async ({ kube, cluster, pass }) => {
        const published = followPublications(cluster)
        await createPods(
          kube,
          Object.entries(loads).map(([name, load]) => loadedPod(name, { load, limit: '1' })),
        )
        await pass(seconds)
        for (const name of Object.keys(loads)) {
          const moments = published.filter(({ pod }) => pod === name).map((one) => one.atSeconds)
          assert.ok(moments.length > 0, name)
          for (const [i, at] of moments.slice(1).entries()) {
            const gap = at - (moments[i] ?? 0)
            assert.ok(
              gap >= MINUTE || at < from,
              `${name}, seed ${seed}: ${gap} s apart at ${at} s`,
            )
          }
        }
      })
    },
  )
})

void describe('what a pod bids for and gets', () => {
  /** How a pod is after two minutes beside an idle one. */
  const settle = async (
    pod: Pod,
    then: (platform: Platform) => void | Promise<void>,
    config = {},
  ) =>
    onPlatform({ cpus: 2, config }, async (platform) => {
      await createPods(platform.kube, [pod])
      await platform.pass(SETTLED_SECONDS + 20)
      await then(platform)
    })

  void test('without a limit only its request moves', async () => {
    const pod = loadedPod('free', { load: 'steady cpu=600m', request: '900m', limit: '' })
    await settle(pod, ({ see }) => {
      const { request, limit, desired, quota, group } = see('free')
      assert.deepEqual(
        [request, limit, quota, group?.quota],
        [690, undefined, undefined, undefined],
      )
      assert.deepEqual(desired, { request: 690, limit: undefined })
    })
  })

  void test('of two containers each gets by its own demand', async () => {
    const one = loadedPod('two', { annotations: { 'sim.mbcas.io/load.side': 'idle' } })
    const [app] = one.spec.containers
    assert.ok(app)
    const annotations = { ...one.metadata.annotations, 'sim.mbcas.io/load.app': 'steady cpu=700m' }
    const side = { ...app, name: 'side' }
    const pod = {
      ...one,
      metadata: { ...one.metadata, annotations },
      spec: { containers: [app, side] },
    }
    await settle(pod, ({ see }) => {
      const [first, second] = see('two').allocation?.spec.containers ?? []
      const [busy, calm] = [first, second].map((one) => millicoresIn(one?.desiredCPURequest ?? 0))
      assert.ok((busy ?? 0) > 4 * (calm ?? Infinity) && (calm ?? 0) > 0, `${busy} ${calm}`)
      // Each may use what the pod may.
      assert.deepEqual(
        see('two').containers.map(({ quota }) => quota),
        [2000, 2000],
      )
    })
  })

  void test('a sidecar bids with its pod', async () => {
    const annotations = { 'sim.mbcas.io/load.proxy': 'steady cpu=500m' }
    const pod = loadedPod('meshed', { annotations })
    const [app] = pod.spec.containers
    assert.ok(app)
    const proxy = { ...app, name: 'proxy', restartPolicy: 'Always' }
    await settle(
      { ...pod, spec: { ...pod.spec, initContainers: [proxy] } },
      async ({ see, useOver }) => {
        const [used = 0] = await useOver(20, 'meshed')
        assert.ok(Math.abs(used - 500) <= 5, `${used}m`)
        const { containers, restarts, desired } = see('meshed')
        assert.deepEqual(
          containers.map(({ quota }) => quota),
          [2000, 2000],
        )
        assert.equal(desired?.request, 200, 'what both requested, since it uses more')
        assert.equal(restarts, 0)
      },
    )
  })

  each<{ name: string; pod: Pod; namespace?: Record<string, string> }>(
    [
      {
        name: 'Guaranteed is left alone',
        pod: loadedPod('pod', { load: 'steady cpu=900m', request: '500m', memory: '64Mi' }),
      },
      {
        name: 'BestEffort is left alone',
        pod: {
          ...loadedPod('pod'),
          spec: { containers: [{ name: 'app', image: 'app' } as never] },
        },
      },
      {
        name: 'a mirror of a static pod is left alone',
        pod: onNode(loadedPod('pod', { annotations: { [mirrorAnnotation]: 'x' } })),
      },
      {
        name: 'a pod that opted out is left alone',
        pod: loadedPod('pod', { annotations: { [settings.managed]: 'false' } }),
      },
      {
        name: 'so is one whose namespace opted out',
        pod: loadedPod('pod'),
        namespace: { [settings.mode]: 'off' },
      },
      {
        name: 'so is one that would be restarted',
        pod: {
          ...loadedPod('pod'),
          spec: {
            containers: loadedPod('pod').spec.containers.map((container) =>
              Object.assign({}, container, {
                resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
              }),
            ),
          },
        },
      },
    ],
    async ({ pod, namespace }) => {
      await onPlatform({ cpus: 2 }, async ({ kube, pass, see }) => {
        if (namespace) {
          const body = { metadata: { labels: namespace } }
          await kube.patch(namespaces, { name: 'default' }, { type: 'merge', body })
        }
        await createPods(kube, [pod])
        await pass(20)
        const before = see('pod')
        await pass(100)
        const { allocation, burst, quota, shares } = see('pod')
        assert.deepEqual(
          [allocation, burst, quota, shares],
          [undefined, 0, before.quota, before.shares],
        )
        const [resource] = (await marketIn(kube)).status?.resources ?? []
        assert.deepEqual([resource?.pods, resource?.unmanagedPods], [0, 1])
      })
    },
  )

  void test('Guaranteed that opted in keeps request and limit equal', async () => {
    const annotations = { [settings.guaranteed]: 'manage' }
    const of = { load: 'steady cpu=900m', request: '500m', memory: '64Mi', annotations }
    await settle(loadedPod('pod', of), ({ see }) => {
      const { desired, pod } = see('pod')
      assert.ok((desired?.limit ?? 0) >= 900)
      assert.equal(desired?.request, desired?.limit)
      assert.equal(pod.status?.qosClass, 'Guaranteed')
    })
  })

  void test('floor, ceiling and LimitRange bound it', async () => {
    await onPlatform({ cpus: 4 }, async ({ kube, pass, see }) => {
      await kube.create(limitRanges, {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'bounds', namespace: 'default' },
        spec: { limits: [{ type: 'Container', max: { cpu: '1500m' } }] },
      })
      await createPods(kube, [
        loadedPod('floored', {
          annotations: { [settings.minCpu]: '300m', [settings.maxCpu]: '300m' },
        }),
        loadedPod('capped', {
          load: 'steady cpu=900m',
          annotations: { [settings.maxCpu]: '600m' },
        }),
        loadedPod('ranged', { load: 'steady cpu=1900m threads=2' }),
      ])
      await pass(SETTLED_SECONDS)
      assert.deepEqual(
        ['floored', 'capped', 'ranged'].map((name) => [see(name).desired?.limit, see(name).quota]),
        [
          [500, 300],
          [500, 600],
          [500, 1500],
        ],
      )
    })
  })
})

void describe('a LimitRange that ties limits to requests', () => {
  void test('keeps a request as high as its limit needs it, and idle CPU is used all the same', async () => {
    await onPlatform({ cpus: 4 }, async ({ kube, pass, see }) => {
      await kube.create(limitRanges, {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'ratio', namespace: 'default' },
        spec: { limits: [{ type: 'Container', maxLimitRequestRatio: { cpu: '2' } }] },
      })
      const pod = loadedPod('api', { load: 'steady cpu=300m', request: '400m', limit: '800m' })
      await createPods(kube, [pod])
      await pass(SETTLED_SECONDS)
      assert.deepEqual(see('api').desired, { request: 400, limit: 800 })
      assert.equal(see('api').quota, 4000)
    })
  })
})

void describe('the market of a node', () => {
  const greedy = (name: string, annotations = {}) =>
    loadedPod(name, { load: 'steady cpu=1900m threads=2', limit: '300m', annotations })

  const strict = { enforcement: 'strict' }

  void test('of strict shares shares by weight when CPU is short, and says so', async () => {
    await onPlatform({ cpus: 2, config: strict }, async ({ kube, pass, see }) => {
      const heavy = greedy('heavy', { [settings.priorityMultiplier]: '3' })
      await createPods(kube, [
        heavy,
        greedy('light'),
        loadedPod('system', { annotations: { [settings.managed]: 'false' } }),
      ])
      await pass(4 * SETTLED_SECONDS) // in steps, as published
      // 2000m less 200m in reserve and the 100m of who takes no part; 100m floors, the rest 3 to 1.
      assert.deepEqual([see('heavy').quota, see('light').quota], [1225, 475])
      const { status } = await marketIn(kube)
      const { clearedAt, nashProductLog = 0, holders = [], ...rest } = status?.resources[0] ?? {}
      assert.ok(Date.parse(clearedAt ?? '') > 0)
      assert.ok(Math.abs(nashProductLog - (0.15 * Math.log(1125) + 0.05 * Math.log(375))) < 0.001)
      assert.deepEqual(rest, {
        name: 'cpu',
        mode: 'congested',
        mechanism: 'nash',
        allocatable: '2',
        reserve: '200m',
        held: '100m',
        capacity: '1700m',
        sold: '1700m',
        unsold: '0',
        price: 0.0001333,
        pods: 2,
        unmanagedPods: 1,
        sufferingPods: 2,
      })
      assert.deepEqual(
        holders.map(({ pod }) => pod),
        ['default/heavy', 'default/light'],
      )
      assert.deepEqual(status?.suffering?.map(({ name }) => name).toSorted(), ['heavy', 'light'])
      assert.match(status?.suffering?.[0]?.reason ?? '', /^is throttled in \d+ % of periods$/)
      const told = status?.changes?.map(({ pod, to }) => `${pod} ${to}`).toSorted()
      assert.deepEqual(told, ['default/heavy 1225m', 'default/light 475m'])
    })
  })

  void test('has what is beyond requests shared by weight, and none of it left idle', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, pass, useOver }) => {
      const heavy = greedy('heavy', { [settings.priorityMultiplier]: '3' })
      await createPods(kube, [heavy, greedy('light')])
      await pass(SETTLED_SECONDS)
      const [first = 0, second = 0] = await useOver(60, 'heavy', 'light')
      assert.ok(first + second >= 1990, `${first} ${second}`)
      // 100m each, and of the 1800m beyond them three quarters and one.
      assert.ok(Math.abs(first - 1450) <= 150, `${first} ${second}`)
      const [market] = (await marketIn(kube)).status.resources
      assert.deepEqual([market?.mode, market?.reserve, market?.unsold], ['congested', '0', '0'])
    })
  })

  void test('pods of a coalition bid as one', async () => {
    const team = { [settings.coalition]: 'team' }
    await onPlatform({ cpus: 2 }, async ({ kube, pass, useOver, agent }) => {
      await createPods(kube, [greedy('a', team), greedy('b', team), greedy('alone')])
      await pass(SETTLED_SECONDS)
      const one = agent.view().pods.find(({ name }) => name === 'a')
      assert.match(one?.reason ?? '', /coalition default\/team of 2 pods/)
      const [a = 0, b = 0, other = 0] = await useOver(60, 'a', 'b', 'alone')
      assert.ok(Math.abs(a + b - 1333) <= 70 && Math.abs(other - 667) <= 70, `${a} ${b} ${other}`)
    })
  })

  void test('who answers the price asks for less, and the price falls', async () => {
    const priceWith = async (enablePriceResponse: boolean): Promise<number> => {
      let price = 0
      await onPlatform({ cpus: 2, config: { enablePriceResponse } }, async ({ kube, pass }) => {
        const modest = loadedPod('modest', { load: 'steady cpu=500m', limit: '300m' })
        await createPods(kube, [greedy('greedy'), modest])
        await pass(60)
        price = (await marketIn(kube)).status?.resources[0]?.price ?? 0
      })
      return price
    }
    const [without, withResponse] = [await priceWith(false), await priceWith(true)]
    assert.ok(withResponse > 0 && withResponse < 0.97 * without, `${without} ${withResponse}`)
  })

  void test('in cost mode a strict pod gets what it needs, and no idle CPU as head-room', async () => {
    const limitIn = async (costEfficiencyMode: boolean) => {
      let limit = 0
      const config = { ...strict, costEfficiencyMode }
      await onPlatform({ cpus: 4, config }, async ({ kube, pass, see, useOver }) => {
        const load = 'requests rate=50 cpu=8ms threads=4'
        await createPods(kube, [loadedPod('api', { load, limit: '1' })])
        await pass(240)
        limit = see('api').desired?.limit ?? 0
        const [used = 0] = await useOver(60, 'api')
        assert.ok(used >= 380, `${used}m of the 400m that come`)
      })
      return limit
    }
    const [normal, cost] = [await limitIn(false), await limitIn(true)]
    assert.ok(cost < 0.6 * normal, `${normal} ${cost}`)
  })
})
