import assert from 'node:assert/strict'
import { readdirSync, readlinkSync } from 'node:fs'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { plant, planted } from '../../../test/fixtures/cgroup/plant.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { createPods, loadedPod, onPlatform, type Platform } from '../../../test/platform.ts'
import { kernelOf, seenPod } from '../../../test/seen-pod.ts'
import { openCgroups } from '../../adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../adapters/cgroup/writer.ts'
import { type MarketSettings, marketSettings, settingsName } from '../../apis/market-settings.ts'
import { fieldManagers, originalAnnotation, settings } from '../../apis/names.ts'
import { podAllocations } from '../../apis/pod-allocation.ts'
import { pods } from '../../apis/pod.ts'
import { conversions, requestShares, sharesOfWeight } from '../../core/cgroup/weight.ts'
import { millicores } from '../../core/units.ts'
import { createKernel, type Enforced } from './kernel.ts'
import { placeOf, lastingContainers } from './pod-facts.ts'
import type { SeenPod } from './seen-pod.ts'

/** As a kernel shows what kubelets set, in cpu.shares. */
const rules = [
  { name: 'shares of v1', rule: requestShares },
  {
    name: 'weights of v2, by a straight line',
    rule: (request: number) => sharesOfWeight(conversions.linear(requestShares(request))),
  },
  {
    name: 'weights of v2 since runc 1.3.2',
    rule: (request: number) => sharesOfWeight(conversions.quadratic(requestShares(request))),
  },
]

const weight = (shares: number, given: Partial<Enforced> = {}): Enforced => ({
  shares,
  quota: 'asIs',
  bursts: false,
  ...given,
})

function scene(seen: readonly SeenPod[], rule: (request: number) => number = requestShares) {
  const machine = kernelOf(seen, rule)
  const clock = manualClock()
  const lines: string[] = []
  const log = (level: string, message: string, fields = {}) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const start = () => createKernel({ writer: machine.writer, cgroups: machine.reader, clock, log })
  const readings = ({ containers }: SeenPod) =>
    containers.flatMap(({ place }) => (place && machine.reader.read(place)) ?? [])
  const kernel = start()
  const enforce = (one: SeenPod, wanted: Enforced) => kernel.enforce(one, wanted, readings(one))
  return { ...machine, clock, lines, start, agent: kernel, enforce, readings }
}

const twoContainers = {
  containers: ['app', 'log'].map((name) => ({
    name,
    resources: { requests: { cpu: '250m' }, limits: { cpu: '500m' } },
  })),
}

void describe('the weight of a pod', () => {
  void test('is that of its group; those of its containers stay', () => {
    const pod = seenPod({ spec: twoContainers })
    const { enforce, sharesOf } = scene([pod])
    assert.equal(sharesOf('api'), 512)
    assert.equal(enforce(pod, weight(51_200)), 51_200)
    assert.deepEqual(
      [sharesOf('api'), sharesOf('api-app'), sharesOf('api-log')],
      [51_200, 256, 256],
    )
  })

  void test('is not written where it is nearly that already, and is known all the same', () => {
    const pod = seenPod({ request: '1' })
    const { enforce, sharesOf } = scene([pod])
    assert.equal(enforce(pod, weight(1100)), 1024)
    assert.equal(sharesOf('api'), 1024)
  })

  each(rules, ({ rule }) => {
    const pod = seenPod({ request: '700m' })
    const { enforce, sharesOf, agent } = scene([pod], rule)
    const before = sharesOf('api')
    enforce(pod, weight(100_000))
    enforce(pod, weight(3000))
    assert.equal(sharesOf('api'), 3000)
    agent.release(pod)
    assert.equal(sharesOf('api'), before, 'what the kubelet set is there again')
  })

  each(
    rules.map((one) => ({ ...one, name: `${one.name}: as if set for a request that came since` })),
    ({ rule }) => {
      const pod = seenPod({ request: '700m' })
      const { enforce, sharesOf, agent } = scene([pod], rule)
      enforce(pod, weight(100_000))
      agent.release(seenPod({ request: '900m' }))
      // v2 has fewer weights than there are shares.
      const weightOf = (shares: number) => conversions.linear(shares)
      assert.equal(weightOf(sharesOf('api') ?? 0), weightOf(rule(900)))
    },
  )

  each(
    rules.map(({ name, rule }) => ({ name: `${name}: what a killed agent left goes`, rule })),
    ({ rule }) => {
      const [left, other] = [seenPod({ request: '700m' }), seenPod({ name: 'other' })]
      const idle = seenPod({ name: 'idle', request: '0', limit: '', qosClass: 'BestEffort' })
      const { sharesOf, setShares, start, lines } = scene([left, other, idle], rule)
      setShares('api', 71_680)
      const next = start()
      // Of one that requests nothing every rule makes the same: it shows nothing.
      assert.deepEqual([left, other, idle].map(next.isLeftOn), [true, false, false])
      next.takeOver(left)
      next.release(left)
      assert.equal(conversions.linear(sharesOf('api') ?? 0), conversions.linear(rule(700)))
      assert.deepEqual(
        lines.filter((line) => !line.startsWith('debug')),
        [],
      )
    },
  )

  each(
    [
      {
        name: 'of a pod whose init container asked for more is the kubelet’s',
        spec: {
          initContainers: [
            { name: 'setup', resources: { requests: { cpu: '2' }, limits: { cpu: '2' } } },
          ],
        },
        shares: 2048,
      },
      {
        name: 'so is that of one with overhead',
        spec: { overhead: { cpu: '400m' } },
        shares: 512,
      },
    ],
    ({ spec, shares }) => {
      const pod = seenPod({ request: '100m', limit: '500m', spec })
      const { agent, enforce, sharesOf, quotaOf } = scene([pod])
      const quota = quotaOf('api')
      assert.equal(sharesOf('api'), shares)
      assert.equal(agent.isLeftOn(pod), false)
      enforce(pod, weight(20_000, { quota: millicores(4000) }))
      assert.deepEqual([sharesOf('api'), quotaOf('api')], [20_000, 4000])
      agent.release(pod)
      assert.deepEqual([sharesOf('api'), quotaOf('api')], [shares, quota])
    },
  )
})

void describe('what somebody else writes', () => {
  void test('is put right at the next sample, and comes back at the end', () => {
    const pod = seenPod({ request: '500m' })
    const { enforce, setShares, sharesOf, agent, lines } = scene([pod])
    enforce(pod, weight(50_000))
    setShares('api', 512) // systemd, on a reload
    assert.equal(enforce(pod, weight(50_000)), 50_000)
    setShares('api', 700) // a person
    enforce(pod, weight(50_000))
    assert.equal(sharesOf('api'), 50_000)
    agent.release(pod)
    assert.equal(sharesOf('api'), 700)
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('debug')),
      [],
    )
  })

  void test('after the last sample stands at the end', () => {
    const pod = seenPod({ request: '500m' })
    const { enforce, setShares, sharesOf, agent } = scene([pod])
    enforce(pod, weight(50_000))
    setShares('api', 700)
    agent.release(pod)
    assert.equal(sharesOf('api'), 700)
  })

  void test('at every sample is not fought: it is let be for a minute, and logged once', async () => {
    const pod = seenPod({ request: '500m' })
    const { enforce, setShares, sharesOf, agent, lines, clock } = scene([pod])
    let [theirs, ours] = [0, 0]
    for (let sample = 0; sample < 4 * 55; sample += 1) {
      enforce(pod, weight(50_000))
      if (sharesOf('api') === 50_000) ours += 1
      else theirs += 1
      setShares('api', 700)
      await clock.advance(250)
    }
    assert.ok(ours <= 8 && theirs > 200, `${ours} ${theirs}`)
    const contested = lines.filter((line) => line.includes('weight contested'))
    assert.deepEqual(contested, [
      'warn weight contested {"pod":"default/api","writes":8,"pauseSeconds":60}',
    ])
    await clock.advance(10_000)
    enforce(pod, weight(50_000))
    assert.equal(sharesOf('api'), 50_000, 'after a minute it is tried again')
    agent.release(pod)
    assert.equal(sharesOf('api'), 700)
  })
})

void describe('the quota of a pod', () => {
  void test('is lifted above its limit, for the pod and its containers, and comes back', () => {
    const pod = seenPod({ spec: twoContainers })
    const { enforce, quotaOf, agent } = scene([pod])
    const quotas = () => ['api', 'api-app', 'api-log'].map(quotaOf)
    assert.deepEqual(quotas(), [1000, 500, 500])
    enforce(pod, weight(512, { quota: millicores(4000) }))
    assert.deepEqual(quotas(), [4000, 4000, 4000])
    agent.release(pod)
    assert.deepEqual(quotas(), [1000, 500, 500])
  })

  void test('that holds one without a limit goes again', () => {
    const pod = seenPod({ limit: '' })
    const { enforce, quotaOf } = scene([pod])
    const quotas = () => [quotaOf('api'), quotaOf('api-app')]
    enforce(pod, weight(512, { quota: millicores(300) }))
    assert.deepEqual(quotas(), [300, 300])
    enforce(pod, weight(512, { quota: undefined }))
    assert.deepEqual(quotas(), [null, null])
  })

  void test('of a strict pod is each container’s own, with as much burst as its limit allows', () => {
    const pod = seenPod({ spec: twoContainers })
    const { enforce, quotaOf, kernel } = scene([pod])
    const quotas = new Map([
      ['app', millicores(600)],
      ['log', millicores(200)],
    ])
    enforce(pod, weight(512, { quota: millicores(800), quotas, bursts: true }))
    assert.deepEqual(['api', 'api-app', 'api-log'].map(quotaOf), [800, 600, 200])
    const bursts = ['api', 'api-app', 'api-log'].map((id) => kernel.settings(id)?.burstMicros)
    assert.deepEqual(bursts, [80_000, 50_000, 20_000])
  })

  void test('is at least what a kernel takes', () => {
    const pod = seenPod({ limit: '' })
    const { enforce, quotaOf, sharesOf, lines } = scene([pod])
    enforce(pod, weight(2048, { quota: millicores(3) }))
    assert.deepEqual([quotaOf('api'), sharesOf('api')], [10, 2048])
    assert.ok(!lines.some((line) => line.includes('not written')))
  })

  void test('that a kubelet writes is lifted again, and what it wrote last comes back', () => {
    const pod = seenPod({ limit: '500m' })
    const resized = seenPod({ limit: '700m' })
    const { enforce, quotaOf, kernel, agent } = scene([pod])
    const open = weight(512, { quota: millicores(4000) })
    enforce(pod, open)
    for (const id of ['api-app', 'api']) {
      const now = kernel.settings(id)
      if (now) kernel.set(id, { ...now, quotaMicros: 70_000 })
    }
    enforce(resized, open)
    assert.deepEqual([quotaOf('api'), quotaOf('api-app')], [4000, 4000])
    agent.release(resized)
    assert.deepEqual([quotaOf('api'), quotaOf('api-app')], [700, 700])
  })
})

void describe('cgroups that cannot be written', () => {
  void test('are said to be so, once, and are not tried at every sample', async () => {
    const pod = seenPod()
    const { reader, writer, readings, clock } = scene([pod])
    const [lines, why]: [string[], string] = [[], 'the cgroups are mounted read-only']
    let asked = 0
    const whyReadOnly = () => {
      asked += 1
      return why
    }
    const log = (level: string, message: string, fields = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
    const agent = createKernel({ writer: { ...writer, whyReadOnly }, cgroups: reader, clock, log })
    assert.equal(agent.whyReadOnly(), undefined)
    for (let sample = 0; sample < 40; sample += 1) {
      assert.equal(agent.enforce(pod, weight(50_000), readings(pod)), undefined)
      await clock.advance(250)
    }
    assert.equal(agent.whyReadOnly(), why)
    assert.equal(asked, 1)
    assert.deepEqual(lines, [`warn kernel not written {"pod":"default/api","refused":["${why}"]}`])
  })
})

void describe('what is kept open of a pod', () => {
  const openIn = (mount: string): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(mount)
      } catch {
        return false
      }
    }).length

  each<{ name: string; look: (kernel: ReturnType<typeof createKernel>, pod: SeenPod) => void }>(
    [
      {
        name: 'is let go when it is gone',
        look: (kernel, pod) => {
          kernel.enforce(pod, weight(300), [])
          kernel.keepOnly(new Set())
        },
      },
      {
        name: 'when it is released',
        look: (kernel, pod) => {
          kernel.enforce(pod, weight(300), [])
          kernel.release(pod)
        },
      },
      {
        name: 'and of one that nobody manages after one look',
        look: (kernel, pod) => void kernel.isLeftOn(pod),
      },
    ],
    ({ look }) => {
      const { mount, uproot } = plant('v1-cgroupfs-containerd')
      const [cgroups, writer] = [openCgroups({ mount }), openCgroupWriter({ mount })]
      try {
        const bare = seenPod()
        const { podUid, qosClass } = planted
        const pod = { ...bare, place: { podUid, qosClass }, containers: [] }
        const before = openIn(mount)
        look(createKernel({ writer, cgroups, clock: manualClock(), log: () => undefined }), pod)
        assert.equal(openIn(mount), before)
      } finally {
        cgroups.close()
        uproot()
      }
    },
  )
})

void describe('what the agent does to the kernel', () => {
  void test('what a killed agent left there is undone at the end', async () => {
    await onPlatform({ cpus: 2 }, async ({ kube, writer, pass, stop }) => {
      const annotations = { [settings.minCpu]: '500m', [settings.maxCpu]: '500m' }
      await createPods(kube, [loadedPod('idle', { load: 'idle', limit: '500m', annotations })])
      await pass(1)
      const pod = await kube.get(pods, { namespace: 'default', name: 'idle' })
      const [container] = lastingContainers(pod)
      assert.ok(container?.place)
      const places = [placeOf(pod), container.place]
      const bursts = () => places.map((place) => writer.settings(place)?.burstMicros)
      writer.write(places.map((place) => ({ place, burstMicros: 50_000 })))
      assert.deepEqual(bursts(), [50_000, 50_000])
      await pass(10)
      await stop()
      assert.deepEqual(bursts(), [0, 0])
    })
  })

  void test('what the kubelet has set meanwhile stands, though the spec that we know is older', async () => {
    const options = { cpus: 2, hasController: false }
    await onPlatform(options, async ({ kube, writer, pass, see, stop }) => {
      const annotations = { [settings.enforcement]: 'strict' }
      const pod400 = { load: 'steady cpu=900m', limit: '400m', annotations }
      await createPods(kube, [loadedPod('api', pod400)])
      await pass(20)
      const told = 1500
      const { pod } = see('api')
      const places = [placeOf(pod), ...lastingContainers(pod).flatMap(({ place }) => place ?? [])]
      // As the kubelet does, and the spec with the same change is not seen any more.
      writer.write(places.map((place) => ({ place, burstMicros: 0, quotaMicros: told * 100 })))
      await stop()
      const { quota, burst, group } = see('api')
      assert.deepEqual([quota, burst, group], [told, 0, { quota: told, burst: 0 }])
    })
  })

  void test('so does what it has set that we were never told of', async () => {
    const options = { cpus: 2, hasController: false }
    await onPlatform(options, async ({ kube, writer, pass, see, stop }) => {
      await createPods(kube, [
        loadedPod('busy', { load: 'steady cpu=900m', limit: '400m' }),
        loadedPod('calm', { load: 'steady cpu=300m', limit: '400m' }),
      ])
      await pass(20)
      const names = ['busy', 'calm']
      // As after a resize by a person, while the API does not answer us.
      for (const name of names) {
        const { pod } = see(name)
        const places = [placeOf(pod), ...lastingContainers(pod).flatMap(({ place }) => place ?? [])]
        writer.write(places.map((place) => ({ place, quotaMicros: 150_000 })))
      }
      await stop()
      assert.deepEqual(
        names.map((name) => [see(name).quota, see(name).burst, see(name).group]),
        names.map(() => [1500, 0, { quota: 1500, burst: 0 }]),
      )
    })
  })

  void test('what it left on pods that opted out since is undone, of pods of ours only', async () => {
    // A controller would have restored what was resized.
    const options = { cpus: 4, hasController: false }
    await onPlatform(options, async ({ kube, writer, pass, see, replaceAgent }) => {
      const optedOut = { [settings.managed]: 'false' }
      const original = { ...optedOut, [originalAnnotation]: '{"app":{"limit":"500m"}}' }
      await createPods(kube, [
        loadedPod('allocated', { annotations: optedOut }),
        loadedPod('foreign', { annotations: optedOut }),
      ])
      for (const name of ['resized', 'raised']) {
        const pod = loadedPod(name, { annotations: original })
        await kube.create(pods, pod, { fieldManager: fieldManagers.controller })
      }
      await pass(5)
      const { uid: podUID = '' } = see('allocated').pod.metadata
      await kube.create(podAllocations, {
        apiVersion: 'allocation.mbcas.io/v1alpha1',
        kind: 'PodAllocation',
        metadata: { namespace: 'default', name: 'allocated' },
        spec: {
          podName: 'allocated',
          podUID,
          nodeName: 'node-0',
          desiredCPULimit: '500m',
          urgency: 'normal',
        },
      })
      const names = ['allocated', 'resized', 'foreign']
      for (const name of names) {
        const { pod } = see(name)
        const places = [placeOf(pod), ...lastingContainers(pod).flatMap(({ place }) => place ?? [])]
        writer.write(places.map((place) => ({ place, burstMicros: 50_000 })))
      }
      // Without burst, as where it is turned off.
      const raised = see('raised').pod
      const places = [
        placeOf(raised),
        ...lastingContainers(raised).flatMap(({ place }) => place ?? []),
      ]
      writer.write(places.map((place) => ({ place, quotaMicros: 80_000 })))
      await replaceAgent()
      await pass(20)
      assert.deepEqual([see('raised').quota, see('raised').group], [500, { quota: 500, burst: 0 }])
      assert.deepEqual(
        names.map((name) => [see(name).burst, see(name).group]),
        [
          [0, { quota: 500, burst: 0 }],
          [0, { quota: 500, burst: 0 }],
          [500, { quota: 500, burst: 500 }],
        ],
      )
    })
  })

  // Without burst, as where it is turned off.
  const raise = ({ writer, see }: Platform, name: string): void => {
    const { pod } = see(name)
    const places = [placeOf(pod), ...lastingContainers(pod).flatMap(({ place }) => place ?? [])]
    writer.write(places.map((place) => ({ place, burstMicros: 0, quotaMicros: 80_000 })))
  }
  const setMode = async ({ kube }: Platform, mode: 'recommend' | 'off') =>
    kube.create<MarketSettings>(marketSettings, {
      metadata: { name: settingsName },
      spec: { mode },
    })

  each<{ name: string; mode: 'recommend' | 'off' }>(
    [
      {
        name: 'a raise that it left is undone where the cluster only recommends',
        mode: 'recommend',
      },
      { name: 'and where it is off', mode: 'off' },
    ],
    async ({ mode }) => {
      await onPlatform({ cpus: 4, hasController: false }, async (platform) => {
        const { kube, pass, see, replaceAgent } = platform
        await createPods(kube, [loadedPod('api', { load: 'steady cpu=300m' })])
        await pass(20)
        assert.ok(see('api').desired !== undefined)
        await setMode(platform, mode)
        await replaceAgent()
        raise(platform, 'api') // as by the one before, had it been killed
        await pass(20)
        assert.deepEqual([see('api').quota, see('api').group], [500, { quota: 500, burst: 0 }])
      })
    },
  )

  each<{ name: string; mode: 'recommend' | 'off' }>(
    [
      {
        name: 'what others raised stays where the cluster never did but recommend',
        mode: 'recommend',
      },
      { name: 'and where it was always off', mode: 'off' },
    ],
    async ({ mode }) => {
      await onPlatform({ cpus: 4, hasController: false }, async (platform) => {
        const { kube, pass, see, stop } = platform
        await setMode(platform, mode)
        await createPods(kube, [loadedPod('api', { load: 'steady cpu=300m' })])
        await pass(1)
        raise(platform, 'api')
        await pass(40)
        await stop()
        assert.deepEqual([see('api').quota, see('api').group], [800, { quota: 800, burst: 0 }])
      })
    },
  )
})
