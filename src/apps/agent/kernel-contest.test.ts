import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { plant, planted } from '../../../test/fixtures/cgroup/plant.ts'
import { scene, twoContainers, weight } from '../../../test/kernel-scene.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { seenPod } from '../../../test/seen-pod.ts'
import { openCgroups } from '../../adapters/cgroup/reader.ts'
import { openCgroupWriter } from '../../adapters/cgroup/writer.ts'
import { millicores } from '../../core/units.ts'
import { createKernel } from './kernel.ts'

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

  void test('once, near what is wanted, is no fight', async () => {
    const pod = seenPod({ request: '500m' })
    const { enforce, setShares, sharesOf, lines, clock } = scene([pod])
    enforce(pod, weight(50_000))
    setShares('api', 52_000)
    for (let sample = 0; sample < 40; sample += 1) {
      assert.equal(enforce(pod, weight(50_000)), 50_000)
      await clock.advance(250)
    }
    assert.equal(sharesOf('api'), 50_000)
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('debug')),
      [],
    )
  })

  void test('again and again in the weight holds up no ceiling', async () => {
    const pod = seenPod({ request: '500m' })
    const { enforce, setShares, quotaOf, lines, clock } = scene([pod])
    for (let sample = 0; sample < 12; sample += 1) {
      enforce(pod, weight(50_000))
      setShares('api', 700)
      await clock.advance(250)
    }
    assert.equal(lines.filter((line) => line.includes('weight contested')).length, 1)
    enforce(pod, weight(50_000, { quota: millicores(300) }))
    assert.deepEqual(['api', 'api-app'].map(quotaOf), [300, 300])
  })
})

void describe('a write that the kernel refuses', () => {
  type Refused = 'shares' | 'quotaMicros'
  const refusing = (what: Refused) => {
    const pod = seenPod({ request: '500m' })
    let tries = 0
    const stage = scene([pod], {
      writer: (writer) => ({
        ...writer,
        write: (changes, note) => {
          if (!changes.some((change) => change[what] !== undefined)) {
            return writer.write(changes, note)
          }
          tries += 1
          return { wrote: [], refused: ['EINVAL'] }
        },
      }),
    })
    return { ...stage, pod, tries: () => tries }
  }

  void test('of a weight holds up no ceiling, and is tried again after ten seconds', async () => {
    const { pod, enforce, quotaOf, tries, clock, lines } = refusing('shares')
    for (let sample = 0; sample < 40; sample += 1) {
      const quota = millicores(300 + sample)
      assert.equal(enforce(pod, weight(50_000, { quota })), undefined)
      assert.deepEqual(['api', 'api-app'].map(quotaOf), [300 + sample, 300 + sample])
      await clock.advance(250)
    }
    assert.equal(tries(), 1)
    enforce(pod, weight(50_000))
    assert.equal(tries(), 2)
    assert.equal(lines.filter((line) => line.includes('not written')).length, 1)
  })

  void test('of a quota holds up no weight and no other quota, and is tried again after ten seconds', async () => {
    const { pod, enforce, sharesOf, tries, clock } = refusing('quotaMicros')
    for (let sample = 0; sample < 40; sample += 1) {
      const shares = sample % 2 === 0 ? 1000 : 5000
      enforce(pod, weight(shares, { quota: millicores(300) }))
      assert.equal(sharesOf('api'), shares)
      await clock.advance(250)
    }
    assert.equal(tries(), 1)
    enforce(pod, weight(40_000, { quota: millicores(300) }))
    assert.equal(tries(), 2)
    enforce(pod, weight(40_000, { quota: millicores(200) }))
    assert.equal(tries(), 3)
  })
})

void describe('the quota of a pod that somebody else writes', () => {
  void test('alone, and not that of its containers, is put right', () => {
    const pod = seenPod({ spec: twoContainers })
    const { enforce, quotaOf, kernel } = scene([pod])
    const ceiling = weight(512, { quota: millicores(600) })
    enforce(pod, ceiling)
    const now = kernel.settings('api')
    if (now) kernel.set('api', { ...now, quotaMicros: 300_000 })
    assert.equal(quotaOf('api'), 3000)
    enforce(pod, ceiling)
    assert.equal(quotaOf('api'), 600)
  })

  void test('is put right at once where a new weight shows it, or a new object of the pod', () => {
    const pod = seenPod({ limit: '500m' })
    const { agent, enforce, readings, kernel, quotaOf, setShares } = scene([pod])
    const open = weight(512, { quota: millicores(4000) })
    enforce(pod, open)
    // Settings of containers are read about once a second: these are from before.
    const before = readings(pod)
    const lower = (): void => {
      const now = kernel.settings('api-app')
      if (now) kernel.set('api-app', { ...now, quotaMicros: 30_000 })
    }
    lower()
    setShares('api', 307)
    agent.enforce(pod, open, before)
    assert.equal(quotaOf('api-app'), 4000)
    lower()
    agent.enforce(seenPod({ limit: '300m' }), open, before)
    assert.equal(quotaOf('api-app'), 4000)
  })

  each(
    [
      { name: 'is put right within a second', isBetween: false },
      { name: 'also where a sample came between its writes', isBetween: true },
    ],
    ({ isBetween }) => {
      let micros = 0
      const { mount, pathOf, uproot } = plant('v2-systemd-containerd')
      const cgroups = openCgroups({ mount, nowMicros: () => micros })
      const files = [join(dirname(dirname(pathOf('cpu.max'))), 'cpu.max'), pathOf('cpu.max')]
      const [whole = '', part = ''] = files
      const quotas = () => files.map((file) => readFileSync(file, 'utf8').split(/\s/)[0])
      const writer = openCgroupWriter({
        mount,
        onWrite: (place) => {
          // A file keeps what is longer than what is written; a kernel makes this of it.
          writeFileSync('containerId' in place ? part : whole, '400000 100000\n')
          cgroups.stale(place)
        },
      })
      try {
        const { podUid, qosClass, containerId } = planted
        const bare = seenPod()
        const place = { podUid, qosClass }
        const containers = bare.containers.map((one) => ({ ...one, place: planted }))
        const pod = { ...bare, place, containers }
        const kernel = createKernel({ writer, cgroups, clock: manualClock(), log: () => undefined })
        const container = { ...place, containerId }
        const sample = (after: number): void => {
          micros += after * 1000
          const reading = cgroups.read(container)
          kernel.enforce(pod, weight(512, { quota: millicores(4000) }), reading ? [reading] : [])
        }
        sample(0)
        sample(250)
        assert.deepEqual(quotas(), ['400000', '400000'])
        // As a kubelet does that lowers a limit: containers first, the pod last.
        writeFileSync(part, '30000 100000\n')
        if (isBetween) sample(1000)
        assert.equal(quotas()[1], isBetween ? '400000' : '30000')
        writeFileSync(whole, '30000 100000\n')
        sample(1000)
        assert.deepEqual(quotas(), ['400000', '400000'])
      } finally {
        cgroups.close()
        uproot()
      }
    },
  )
})
