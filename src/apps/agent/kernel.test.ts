import assert from 'node:assert/strict'
import { readdirSync, readlinkSync } from 'node:fs'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { plant, planted } from '../../../test/fixtures/cgroup/plant.ts'
import { limited, scene, twoContainers, unlimited, weight } from '../../../test/kernel-scene.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { seenPod } from '../../../test/seen-pod.ts'
import { openCgroups } from '../../adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../adapters/cgroup/writer.ts'
import type { Pod } from '../../apis/pod.ts'
import { conversions, requestShares, sharesOfWeight } from '../../core/cgroup/weight.ts'
import { createWriting } from '../../core/cgroup/write-changes.ts'
import { millicores } from '../../core/units.ts'
import type { CgroupWriter } from '../../ports/cgroup.ts'
import { simulatedGroups } from '../../sim/kernel/cgroup-writer.ts'
import { createKernel } from './kernel.ts'
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
    const { enforce, sharesOf, agent } = scene([pod], { rule })
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
      const { enforce, sharesOf, agent } = scene([pod], { rule })
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
      const { sharesOf, setShares, start, lines } = scene([left, other, idle], { rule })
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

  each<{ name: string; spec: Partial<Pod['spec']>; held: number; back: (number | null)[] }>(
    [
      {
        name: 'that has lost its reason goes where nothing is limited',
        spec: unlimited('app', 'log'),
        held: 1000,
        back: [null, null, null],
      },
      {
        name: 'and becomes what the spec says where some are',
        spec: { containers: [...unlimited('app').containers, ...limited('log').containers] },
        held: 4000,
        back: [null, null, 500],
      },
    ],
    async ({ spec, held, back }) => {
      const pod = seenPod({ spec })
      let refuses = false
      const apply = () => ({ words: 'quota', failure: 'EBUSY' })
      const stage = scene([pod], {
        writer: (writer): CgroupWriter => ({
          ...writer,
          write: (changes, note) => {
            const refusing = createWriting({ ...simulatedGroups(stage.kernel), apply })
            return (refuses ? refusing : writer.write)(changes, note)
          },
        }),
      })
      const { enforce, quotaOf, kernel, clock } = stage
      const quotas = () => ['api', 'api-app', 'api-log'].map(quotaOf)
      enforce(pod, weight(512, { quota: millicores(held) }))
      assert.deepEqual(quotas(), [held, held, held])
      refuses = true
      enforce(pod, weight(512))
      refuses = false
      await clock.advance(11_000)
      enforce(pod, weight(512))
      assert.deepEqual(quotas(), back)
      // What somebody else sets from now on is theirs.
      const now = kernel.settings('api-app')
      if (now) kernel.set('api-app', { ...now, quotaMicros: held * 100 })
      enforce(seenPod({ spec }), weight(512))
      assert.equal(quotaOf('api-app'), held)
    },
  )

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

  void test('are not said to be so because a pod has finished', () => {
    const [gone, pod] = [seenPod({ name: 'gone' }), seenPod()]
    const { agent, enforce, sharesOf, lines } = scene([pod])
    // Nothing of it was ever written: it became what nobody manages, and its groups are gone.
    agent.takeOver(gone)
    agent.release(gone)
    assert.equal(agent.whyReadOnly(), undefined)
    assert.equal(agent.enforce(gone, weight(50_000, { quota: millicores(300) }), []), undefined)
    agent.keepOnly(new Set(['api']))
    assert.equal(agent.whyReadOnly(), undefined)
    enforce(pod, weight(50_000))
    assert.equal(sharesOf('api'), 50_000)
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('debug')),
      [],
    )
  })

  void test('stay so, whatever a pod says that ends meanwhile', () => {
    const pods = ['api', 'gone'].map((name) => seenPod({ name }))
    const why = 'the cgroups are mounted read-only'
    const { agent, enforce } = scene(pods, {
      writer: (writer) => ({ ...writer, whyReadOnly: () => why }),
    })
    for (const pod of pods) enforce(pod, weight(50_000))
    agent.keepOnly(new Set(['api']))
    assert.equal(agent.whyReadOnly(), why)
  })
})

void describe('what an untouched pod weighs', () => {
  each(rules, ({ rule }) => {
    const [pod, idle] = [seenPod({ request: '700m' }), seenPod({ name: 'idle', request: '0' })]
    const { agent } = scene([pod, idle], { rule })
    assert.equal(agent.kubeletShares(900), requestShares(900), 'until one was seen')
    agent.isLeftOn(pod)
    // Of one that requests nothing every rule makes the same.
    agent.isLeftOn(idle)
    assert.equal(agent.kubeletShares(900), rule(900))
    assert.equal(agent.kubeletShares(0), 2)
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
