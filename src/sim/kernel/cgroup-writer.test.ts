import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { testWriting } from '../../../test/cgroup/writing.ts'
import { parseLoad } from '../../apis/load.ts'
import { seededRandom } from '../../core/random.ts'
import { createAgenda } from '../create-agenda.ts'
import { groupIdOf, readSimulatedCgroups } from './cgroup-reader.ts'
import { writeSimulatedCgroups } from './cgroup-writer.ts'
import type { CpuSettings } from './kernel.ts'
import { createNodeKernel } from './node-kernel.ts'

const pod = { podUid: 'u-1', qosClass: 'Burstable' } as const
const container = { ...pod, containerId: 'containerd://c1' }
const free: CpuSettings = {
  shares: 1024,
  quotaMicros: null,
  periodMicros: 100_000,
  burstMicros: 0,
}

/** A pod with one container that never rests. */
function node(load = 'steady cpu=1') {
  const agenda = createAgenda({ speed: 'max', startsAt: 0 })
  const kernel = createNodeKernel({ agenda, cpus: 2, random: seededRandom(1) })
  kernel.addPod({ podUid: pod.podUid, cpu: free })
  kernel.add({ id: 'c1', podUid: pod.podUid, cpu: free, load: parseLoad(load) })
  const reader = readSimulatedCgroups(kernel)
  return {
    kernel,
    writer: writeSimulatedCgroups(kernel),
    usageMicros: (place: typeof pod) => reader.read(place)?.usageMicros ?? NaN,
    throttledPeriods: () => reader.read(container)?.throttledPeriods ?? NaN,
    burstPeriods: () => reader.read(container)?.burstPeriods ?? NaN,
    reader,
    pass: async (millis: number) => agenda.run({ until: agenda.now() + millis }),
  }
}

void describe('a writer of simulated cgroups', () => {
  const { kernel } = node()
  testWriting({
    open: () => writeSimulatedCgroups(kernel),
    pod,
    container,
    kernelSays: (place, setting, to) => {
      const id = groupIdOf(place)
      try {
        kernel.set(id, { ...(kernel.settings(id) ?? free), [setting]: to })
        return 'accepted'
      } catch {
        return 'EINVAL'
      }
    },
    isV1: true,
  })

  void test('a write takes effect, and refills the bucket', async () => {
    const { writer, usageMicros, pass } = node()
    writer.write([{ place: container, quotaMicros: 20_000 }])
    await pass(10_000)
    const before = usageMicros(container)
    assert.ok(Math.abs(before / 2e6 - 1) < 0.05, String(before))
    // Ten writes in ten periods, in the middle of each: about twice the quota.
    for (let i = 0; i < 10; i += 1) {
      await pass(100)
      writer.write([{ place: container, quotaMicros: 20_000 + (i % 2) }])
    }
    const used = usageMicros(container) - before
    assert.ok(used > 300_000, String(used))
  })

  void test('a burst counts only if the pod has one too', async () => {
    const { writer, burstPeriods, pass } = node('bursty low=0 high=1 every=1s for=100ms')
    const limited = { quotaMicros: 50_000, burstMicros: 50_000 }
    writer.write([
      { place: container, ...limited },
      { place: pod, quotaMicros: 50_000 },
    ])
    await pass(10_000)
    assert.equal(burstPeriods(), 0)
    assert.equal(writer.settings(container)?.burstMicros, 50_000)
    writer.write([{ place: pod, burstMicros: 50_000 }])
    await pass(10_000)
    assert.ok(burstPeriods() >= 9, String(burstPeriods()))
  })
})

void describe('a reader of simulated cgroups', () => {
  void test('a pod has what its containers used, also those that are gone, and its own settings', async () => {
    const { kernel, writer, reader, pass } = node()
    kernel.add({ id: 'c2', podUid: pod.podUid, cpu: free, load: parseLoad('steady cpu=500m') })
    kernel.add({ id: 'other', podUid: 'u-2', cpu: free, load: parseLoad('steady cpu=100m') })
    writer.write([{ place: pod, quotaMicros: 150_000, burstMicros: 10_000, shares: 512 }])
    await pass(1000)
    kernel.remove('c2')
    await pass(1000)
    assert.deepEqual(reader.read(pod), {
      atMicros: 2_000_000,
      usageMicros: 2_500_000,
      periods: 0,
      throttledPeriods: 0,
      throttledMicros: 0,
      burstPeriods: 0,
      burstMicros: 0,
      quotaMicros: 150_000,
      periodMicros: 100_000,
      burstLimitMicros: 10_000,
      weight: 512,
    })
  })

  void test('a pod or a path without a group gives nothing', () => {
    const { kernel, reader } = node()
    assert.equal(reader.read({ path: 'services/api' }), undefined)
    kernel.remove('c1')
    kernel.remove(pod.podUid)
    assert.equal(reader.read(container), undefined)
    assert.equal(reader.read(pod), undefined)
  })
})
