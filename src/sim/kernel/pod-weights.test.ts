import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { parseLoad } from '../../apis/load.ts'
import { seededRandom } from '../../core/random.ts'
import { createAgenda } from '../create-agenda.ts'
import type { CpuSettings } from './kernel.ts'
import { createNodeKernel } from './node-kernel.ts'
import { weighByPod } from './pod-weights.ts'
import { shareCpus } from './share.ts'

/** Shares, and what it wants. */
type Row = readonly [pod: string, shares: number, milli: number]
type Pods = Readonly<Record<string, number>>

function speedsOf(pods: Pods, rows: readonly Row[]): number[] {
  const groups = new Map(Object.entries(pods).map(([pod, shares]) => [pod, { cpu: { shares } }]))
  const claims = rows.map(([, weight, milli]) => ({ weight, peakMilli: milli, meanMilli: milli }))
  const capacityMilli = 1000
  const weighed = weighByPod({ claims, pods: rows.map(([pod]) => groups.get(pod)), capacityMilli })
  return shareCpus(weighed, capacityMilli)
}

each<{ name: string; pods: Pods; rows: readonly Row[]; gives: readonly number[] }>(
  [
    {
      name: 'pods of one container share by their own weight',
      pods: { a: 3072, b: 1024 },
      rows: [
        ['a', 2, 1000],
        ['b', 1024, 1000],
      ],
      gives: [750, 250],
    },
    {
      name: 'containers share what is the weight of their pod',
      pods: { a: 1024, b: 1024 },
      rows: [
        ['a', 256, 1000],
        ['a', 768, 1000],
        ['b', 10, 1000],
      ],
      gives: [125, 375, 500],
    },
    {
      name: 'what one leaves goes to the rest of its pod first',
      pods: { a: 1024, b: 1024 },
      rows: [
        ['a', 256, 1000],
        ['a', 768, 10],
        ['b', 1024, 1000],
      ],
      gives: [490, 10, 500],
    },
    {
      name: 'what a pod leaves goes to the others',
      pods: { a: 9216, b: 1024, c: 1024 },
      rows: [
        ['a', 256, 100],
        ['a', 768, 200],
        ['b', 1024, 1000],
        ['c', 1024, 1000],
      ],
      gives: [100, 200, 350, 350],
    },
    {
      name: 'who wants nothing takes nothing from its pod',
      pods: { a: 1024, b: 1024 },
      rows: [
        ['a', 256, 1000],
        ['a', 768, 0],
        ['b', 1024, 1000],
      ],
      gives: [500, 0, 500],
    },
    {
      name: 'a container whose pod has no group competes by its own shares',
      pods: { a: 1024 },
      rows: [
        ['a', 5, 1000],
        ['a', 5, 1000],
        ['b', 512, 1000],
        ['b', 512, 1000],
      ],
      gives: [250, 250, 250, 250],
    },
  ],
  ({ pods, rows, gives }) => assert.deepEqual(speedsOf(pods, rows), gives),
)

void test('however many containers there are, everybody gets what two levels of sharing give', () => {
  const row = fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.integer({ min: 2, max: 4096 }),
    fc.integer({ min: 0, max: 1000 }),
  )
  const shares = fc.integer({ min: 2, max: 10_000 })
  const podShares = fc.record({ a: shares, b: shares, c: shares })
  fc.assert(
    fc.property(podShares, fc.array(row, { minLength: 1, maxLength: 12 }), (pods, rows) => {
      const speeds = speedsOf(pods, rows)
      const wanted = rows.map(([, , milli]) => milli)
      const total = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0)
      assert.ok(Math.abs(total(speeds) - Math.min(1000, total(wanted))) <= 1)
      for (const [i, [pod, weight, milli]] of rows.entries()) {
        const speed = speeds[i] ?? NaN
        if (speed >= milli - 1 || pod === 'd') continue
        // Who is held back has at least the part of its weight beside any other of its pod.
        for (const [j, [other, otherWeight]] of rows.entries()) {
          if (other === pod)
            assert.ok((speed + 1) * otherWeight >= ((speeds[j] ?? NaN) - 1) * weight)
        }
        const ofPod = (name: string) => total(speeds.filter((_, j) => rows[j]?.[0] === name))
        for (const name of ['a', 'b', 'c'] as const) {
          const slack = rows.length
          const own = (ofPod(pod) + slack) * pods[name]
          assert.ok(
            own >= (ofPod(name) - slack) * (pods[pod as 'a'] ?? NaN),
            `${pod} beside ${name}`,
          )
        }
      }
    }),
    { numRuns: 500 },
  )
})

const cpu = (shares: number): CpuSettings => ({
  shares,
  quotaMicros: null,
  periodMicros: 100_000,
  burstMicros: 0,
})

/** 2 CPUs; a pod by its name, with its shares and its containers' loads, each of 1024 shares. */
function node(pods: Readonly<Record<string, readonly [shares: number, ...loads: string[]]>>) {
  const agenda = createAgenda({ speed: 'max', startsAt: 0 })
  const kernel = createNodeKernel({ agenda, cpus: 2, random: seededRandom(1) })
  for (const [podUid, [shares, ...loads]] of Object.entries(pods)) {
    kernel.addPod({ podUid, cpu: cpu(shares) })
    for (const [i, load] of loads.entries()) {
      kernel.add({ id: `${podUid}${i}`, podUid, cpu: cpu(1024), load: parseLoad(load) })
    }
  }
  const cores = async (millis: number): Promise<Record<string, number>> => {
    const ids = Object.keys(pods)
    const used = () => ids.map((id) => kernel.read(id)?.usageMicros ?? NaN)
    const before = used()
    await agenda.run({ until: agenda.now() + millis })
    const gained = used().map((micros, i) => (micros - (before[i] ?? NaN)) / millis / 1000)
    return Object.fromEntries(ids.map((id, i) => [id, gained[i] ?? NaN]))
  }
  return { kernel, cores }
}

void describe('pods on a full node', () => {
  void test('share it by their own weight, from the moment it is written', async () => {
    const { kernel, cores } = node({ a: [1024, 'steady cpu=2'], b: [1024, 'steady cpu=2'] })
    assert.deepEqual(await cores(1000), { a: 1, b: 1 })
    kernel.set('a', cpu(3072))
    assert.deepEqual(await cores(1000), { a: 1.5, b: 0.5 })
    kernel.set('b', cpu(9216))
    assert.deepEqual(await cores(1000), { a: 0.5, b: 1.5 })
  })

  void test('gain nothing by more containers', async () => {
    const many = ['steady cpu=1', 'steady cpu=1', 'steady cpu=1'] as const
    const { cores } = node({ a: [1024, 'steady cpu=2'], b: [1024, ...many] })
    assert.deepEqual(await cores(3000), { a: 1, b: 1 })
  })

  void test('lose nothing by a container that rests', async () => {
    const { cores } = node({ a: [1024, 'steady cpu=2'], b: [1024, 'steady cpu=2', 'idle'] })
    assert.deepEqual(await cores(1000), { a: 1, b: 1 })
  })

  void test('what one leaves goes to the others', async () => {
    const { cores } = node({ a: [8192, 'steady cpu=500m'], b: [2, 'steady cpu=2'] })
    assert.deepEqual(await cores(1000), { a: 0.5, b: 1.5 })
  })

  void test('a weight that is written later changes nothing of before, whoever read when', async () => {
    const scene = {
      a: [1024, 'bursty low=0 high=2 every=700ms for=300ms'],
      b: [512, 'steady cpu=2'],
    }
    const used = await Promise.all(
      [7, 2000].map(async (every) => {
        const { kernel, cores } = node(scene as never)
        for (let millis = 0; millis < 2000; millis += every)
          await cores(Math.min(every, 2000 - millis))
        kernel.set('b', cpu(4096))
        await cores(1000)
        return [kernel.read('a'), kernel.read('b'), kernel.waitedMicros('a')]
      }),
    )
    assert.deepEqual(used[0], used[1])
  })
})
