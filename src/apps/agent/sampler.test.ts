import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { sampledPod } from '../../../test/sampled-pod.ts'
import { seenPods } from '../../../test/unreadable-cgroups.ts'
import type { CgroupReader, ContainerPlace } from '../../ports/cgroup.ts'
import { createSampler } from './sampler.ts'

const sampling = {
  cpus: 4,
  smoothing: { upSeconds: 1, downSeconds: 1 },
  looksForWaiting: false,
}

/** A kernel without any of the groups, which counts who is looked for. */
function withoutGroups() {
  const looked: string[] = []
  const cgroups = {
    read: ({ containerId }: ContainerPlace) => void looked.push(containerId),
    forget: () => undefined,
  } as Partial<CgroupReader> as CgroupReader
  const sampler = createSampler(cgroups, () => undefined)
  return (pods: ReturnType<typeof seenPods>) => {
    looked.length = 0
    const { missing, containers } = sampler.sample(pods, sampling)
    return { looks: looked.length, missing, containers }
  }
}

void describe('containers without a cgroup', () => {
  void test('one that is new is looked for at once, and then ever less often', () => {
    const sample = withoutGroups()
    const pods = seenPods(1)
    const looks = Array.from({ length: 300 }, () => sample(pods).looks)
    const turns = looks.flatMap((count, i) => (count > 0 ? [i + 1] : []))
    assert.deepEqual(turns, [1, 2, 4, 8, 16, 32, 64, 128, 192, 256])
  })

  void test('of 2,000 at most 200 are looked for in one turn, and all count as missing', () => {
    const sample = withoutGroups()
    const pods = seenPods(2000)
    for (let turn = 0; turn < 20; turn += 1) {
      const { looks, missing, containers } = sample(pods)
      assert.ok(looks <= 200, `${looks} in turn ${turn}`)
      assert.deepEqual([missing, containers], [2000, 2000])
    }
  })

  void test('each of 1,000 has its turn', () => {
    const seen = new Set<string>()
    const cgroups = {
      read: ({ containerId }: ContainerPlace) => void seen.add(containerId),
      forget: () => undefined,
    } as Partial<CgroupReader> as CgroupReader
    const sampler = createSampler(cgroups, () => undefined)
    const pods = seenPods(1000)
    for (let turn = 0; turn < 40; turn += 1) sampler.sample(pods, sampling)
    assert.equal(seen.size, 1000)
  })

  void test('one that went and came again is looked for at once', () => {
    const sample = withoutGroups()
    const pods = seenPods(1)
    for (let turn = 0; turn < 20; turn += 1) sample(pods)
    assert.equal(sample([]).looks, 0)
    assert.equal(sample(pods).looks, 1)
  })
})

void describe('what a container uses', () => {
  void test('is known from look to look, also of one that is calm', () => {
    const pod = sampledPod(2)
    const doing = { cores: 1, waitedCores: 0, periods: 3, throttledPeriods: 1 }
    const used = [0.02, 0.01, 0.03].map((cores) => {
      pod.pass(0.25, [doing, { ...doing, cores, throttledPeriods: 0 }])
      return pod.usedCores()
    })
    assert.deepEqual(used, [
      [1, 0.02],
      [1, 0.01],
      [1, 0.03],
    ])
  })
})
