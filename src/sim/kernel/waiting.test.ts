import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { parseLoad } from '../../apis/load.ts'
import { seededRandom } from '../../core/random.ts'
import { createAgenda } from '../create-agenda.ts'
import { readSimulatedCgroups } from './cgroup-reader.ts'
import type { CpuSettings } from './kernel.ts'
import { createNodeKernel } from './node-kernel.ts'

const cpu = (over: Partial<CpuSettings> = {}): CpuSettings => ({
  shares: 1024,
  quotaMicros: null,
  periodMicros: 100_000,
  burstMicros: 0,
  ...over,
})
const place = (podUid: string) => ({ podUid, qosClass: 'Burstable' }) as const

/** 2 CPUs, and a container in a pod of its own for each load. */
function node(loads: Readonly<Record<string, readonly [load: string, Partial<CpuSettings>?]>>) {
  const agenda = createAgenda({ speed: 'max', startsAt: 0 })
  const kernel = createNodeKernel({ agenda, cpus: 2, random: seededRandom(1) })
  for (const [name, [load, settings]] of Object.entries(loads)) {
    kernel.addPod({ podUid: name, cpu: cpu({ ...settings, quotaMicros: null }) })
    kernel.add({ id: `${name}-1`, podUid: name, cpu: cpu(settings), load: parseLoad(load) })
  }
  const until = async (millis: number) => agenda.run({ until: millis })
  /** In milliseconds of CPU. */
  const waited = (name: string) => (kernel.waitedMicros(`${name}-1`) ?? NaN) / 1000
  return { kernel, until, waited }
}

each<{ name: string; loads: Parameters<typeof node>[0]; gives: Readonly<Record<string, number>> }>(
  [
    {
      name: 'nobody waits on a node with room',
      loads: { a: ['steady cpu=1200m'], b: ['steady cpu=800m'] },
      gives: { a: 0, b: 0 },
    },
    {
      name: 'on a full one each waits for what it does not get',
      loads: { a: ['steady cpu=2'], b: ['steady cpu=2', { shares: 3072 }] },
      gives: { a: 15_000, b: 5000 },
    },
    {
      name: 'who gets all it wants does not wait',
      loads: { a: ['steady cpu=500m'], b: ['steady cpu=2'] },
      gives: { a: 0, b: 5000 },
    },
    {
      name: 'only while both want to run',
      loads: { a: ['steady cpu=2'], b: ['bursty low=0 high=2 every=5s for=1s'] },
      gives: { a: 2000, b: 2000 },
    },
    {
      name: 'waiting for quota does not count',
      loads: { a: ['steady cpu=1', { quotaMicros: 20_000 }], b: ['steady cpu=1'] },
      gives: { a: 0, b: 0 },
    },
    {
      name: 'an idle container does not wait',
      loads: { a: ['idle cpu=0'], b: ['steady cpu=2'], c: ['steady cpu=2'] },
      gives: { a: 0, b: 10_000, c: 10_000 },
    },
    {
      name: 'a batch waits until it is done',
      loads: { a: ['batch work=2s threads=2'], b: ['steady cpu=2'] },
      gives: { a: 2000, b: 2000 },
    },
  ],
  async ({ loads, gives }) => {
    const { until, waited } = node(loads)
    await until(10_000)
    const all = Object.keys(gives).map((name) => [name, waited(name)])
    assert.deepEqual(Object.fromEntries(all), gives)
  },
)

void describe('a container that serves requests', () => {
  const service = 'requests rate=100 cpu=6ms spread=exponential threads=8'

  void test('waits while a neighbour takes the CPUs, less so the more it weighs', async () => {
    const waits = []
    for (const shares of [1024, 10_240]) {
      const { until, waited } = node({ a: [service, { shares }], b: ['steady cpu=2'] })
      await until(20_000)
      waits.push(waited('a'))
    }
    const [equal = NaN, heavy = NaN] = waits
    assert.ok(equal > 1000, String(equal))
    assert.ok(heavy < equal / 2, `${heavy} of ${equal}`)
  })

  void test('does not wait alone, also when its quota holds it back', async () => {
    const { until, waited, kernel } = node({ a: [service, { quotaMicros: 50_000 }] })
    await until(20_000)
    assert.ok((kernel.read('a-1')?.throttledMicros ?? 0) > 1e6)
    assert.equal(waited('a'), 0)
  })

  void test('keeps what it waited when its load changes', async () => {
    const { kernel, until, waited } = node({ a: [service], b: ['steady cpu=2'] })
    await until(10_000)
    const before = waited('a')
    kernel.setLoad('a-1', parseLoad('steady cpu=2'))
    assert.equal(waited('a'), before)
    await until(11_000)
    assert.equal(waited('a'), before + 1000)
    kernel.setLoad('a-1', parseLoad(service))
    assert.equal(waited('a'), before + 1000)
  })
})

void describe('the cgroup port', () => {
  const scene = {
    a: ['steady cpu=2', { quotaMicros: 50_000 }],
    b: ['steady cpu=2', { shares: 4096 }],
  } as const

  void test('has the waiting of a container with that for quota, as a kernel has', async () => {
    const { kernel, until, waited } = node(scene)
    const reader = readSimulatedCgroups(kernel)
    const container = { ...place('a'), containerId: 'containerd://a-1' }
    await until(5000)
    const { throttledMicros = NaN } = reader.read(container) ?? {}
    assert.equal(reader.waiting?.(container), waited('a') * 1000 + throttledMicros)
    assert.ok(waited('a') > 0)
    assert.equal(reader.waiting?.({ path: 'none' }), undefined)
  })

  void test('has the waiting of a pod, also of containers that are gone', async () => {
    const { kernel, until } = node(scene)
    const reader = readSimulatedCgroups(kernel)
    await until(5000)
    const before = reader.waiting?.(place('b'))
    assert.equal(before, kernel.waitedMicros('b-1'))
    kernel.remove('b-1')
    assert.equal(reader.waiting?.(place('b')), before)
  })

  void test('has the usage of the machine, and of whom it had', async () => {
    const { kernel, until } = node({ a: ['steady cpu=500m'], b: ['steady cpu=250m'] })
    const { machine } = readSimulatedCgroups(kernel)
    await until(2000)
    kernel.remove('b-1')
    await until(4000)
    assert.deepEqual(machine?.(), { atMicros: 4_000_000, usageMicros: 2_500_000 })
  })

  void test('has the weight in force of a pod and of a container', () => {
    const { kernel } = node(scene)
    const { weightOf } = readSimulatedCgroups(kernel)
    kernel.set('b', cpu({ shares: 77 }))
    assert.equal(weightOf?.(place('b')), 77)
    assert.equal(weightOf?.({ ...place('b'), containerId: 'containerd://b-1' }), 4096)
    assert.equal(weightOf?.(place('none')), undefined)
  })
})
