import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

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

function node({ cpus = 2 } = {}) {
  const agenda = createAgenda({ speed: 'max', startsAt: 0 })
  const kernel = createNodeKernel({ agenda, cpus, random: seededRandom(1) })
  const ended: [id: string, millis: number][] = []
  const add = (id: string, load: string, settings: Partial<CpuSettings> = {}) => {
    const onDone = () => ended.push([id, agenda.now()])
    kernel.add({ id, podUid: `of ${id}`, cpu: cpu(settings), load: parseLoad(load), onDone })
  }
  const read = (id: string) => {
    const reading = kernel.read(id)
    assert.ok(reading !== undefined)
    return reading
  }
  const until = async (millis: number) => agenda.run({ until: millis })
  return { agenda, kernel, add, read, ended, until }
}

const seconds = (micros: number) => Math.round(micros / 1e4) / 100

void describe('a node', () => {
  void test('lets a container use what it wants, and says so from then on', async () => {
    const { add, read, until, kernel } = node()
    await until(500)
    add('a', 'steady cpu=300m', { shares: 512 })
    await until(10_500)
    assert.deepEqual(read('a'), {
      atMicros: 10_500_000,
      usageMicros: 3_000_000,
      periods: 0,
      throttledPeriods: 0,
      throttledMicros: 0,
      burstPeriods: 0,
      burstMicros: 0,
      burstLimitMicros: 0,
      quotaMicros: null,
      periodMicros: 100_000,
      weight: 512,
    })
    assert.equal(kernel.usedMicros(), 3_000_000)
    kernel.remove('a')
    await until(20_000)
    assert.equal(kernel.read('a'), undefined)
    assert.equal(kernel.usedMicros(), 3_000_000)
  })

  void test('shares a full machine by weight, from when it is full until it no longer is', async () => {
    const { add, read, until, kernel } = node()
    add('a', 'steady cpu=2')
    await until(1000)
    add('b', 'steady cpu=2', { shares: 3072 })
    await until(2000)
    assert.deepEqual(
      [read('a'), read('b')].map((of) => seconds(of.usageMicros)),
      [2.5, 1.5],
    )
    kernel.set('b', cpu({ shares: 1024 }))
    await until(3000)
    assert.deepEqual(
      [read('a'), read('b')].map((of) => seconds(of.usageMicros)),
      [3.5, 2.5],
    )
    kernel.remove('b')
    await until(4000)
    assert.equal(seconds(read('a').usageMicros), 5.5)
  })

  void test('is full only while a burst lasts', async () => {
    const { add, read, until } = node()
    add('a', 'steady cpu=1500m')
    add('b', 'bursty low=0 high=2 every=10s for=1s')
    await until(10_000)
    assert.deepEqual(
      [read('a'), read('b')].map((of) => seconds(of.usageMicros)),
      [14.5, 1],
    )
  })

  void test('is full while requests wait, and then gives all it has to whoever wants it', async () => {
    const { add, read, until, kernel } = node()
    add('service', 'requests rate=300 cpu=10ms threads=4 queue=4000', { shares: 262_144 })
    add('batch', 'steady cpu=1', { shares: 2 })
    await until(20_000)
    const before = read('batch').usageMicros
    assert.ok(before < 1_000_000, `${before}`)
    kernel.setLoad('service', parseLoad('requests rate=50 cpu=10ms threads=4'))
    await until(60_000)
    const caughtUp = read('batch').usageMicros
    await until(70_000)
    assert.ok(read('batch').usageMicros - caughtUp > 9_900_000)
  })

  void test('counts a lowered quota from the moment it is set', async () => {
    const { add, read, until, kernel } = node()
    add('a', 'steady cpu=1', { quotaMicros: 50_000 })
    await until(10_000)
    assert.ok(Math.abs(read('a').usageMicros / 5e6 - 1) < 0.02)
    kernel.set('a', cpu({ quotaMicros: 20_000 }))
    const { usageMicros, throttledPeriods } = read('a')
    await until(20_000)
    assert.ok(Math.abs((read('a').usageMicros - usageMicros) / 2e6 - 1) < 0.02)
    assert.ok(read('a').throttledPeriods - throttledPeriods >= 99)
  })

  each<{ name: string; change: Partial<CpuSettings>; says: RegExp }>(
    [
      {
        name: 'refuses a burst above the quota',
        change: { quotaMicros: 10_000, burstMicros: 10_001 },
        says: /burst of at most the quota, got 10001/,
      },
      {
        name: 'refuses a quota below 1 ms',
        change: { quotaMicros: 999 },
        says: /quota of at least 1 ms, got 999/,
      },
      {
        name: 'refuses a period above 1 s',
        change: { periodMicros: 1_000_001 },
        says: /period of 1 ms to 1 s/,
      },
      { name: 'refuses shares below 2', change: { shares: 1 }, says: /shares from 2, got 1/ },
    ],
    ({ change, says }) => assert.throws(() => node().add('a', 'idle', change), says),
  )
})

void describe('a batch', () => {
  void test('ends when its work is done, and then uses nothing', async () => {
    const { add, read, ended, until } = node()
    add('a', 'batch work=3s threads=2')
    await until(10_000)
    assert.deepEqual(ended, [['a', 1500]])
    assert.equal(read('a').usageMicros, 3_000_000)
  })

  void test('ends later when its quota is lowered, sooner when it is raised', async () => {
    const { add, ended, until, kernel } = node()
    for (const id of ['same', 'lower', 'raise']) add(id, 'batch work=1s', { quotaMicros: 50_000 })
    await until(1000)
    kernel.set('lower', cpu({ quotaMicros: 10_000 }))
    kernel.set('raise', cpu())
    await until(60_000)
    const [first, second, third] = ended.map(([id]) => id)
    assert.deepEqual([first, second, third], ['raise', 'same', 'lower'])
    assert.ok(Math.abs((ended[1]?.[1] ?? 0) - 1950) <= 100, String(ended[1]))
    assert.ok(Math.abs((ended[2]?.[1] ?? 0) - 5800) <= 100, String(ended[2]))
  })

  void test('ends sooner when a rival on a full machine ends, to the millisecond', async () => {
    const { add, ended, until } = node({ cpus: 1 })
    add('a', 'batch work=1s')
    add('b', 'batch work=2s')
    add('c', 'bursty low=0 high=1 every=100s for=300ms', { shares: 2048 })
    await until(10_000)
    // c has a half of the first 300 ms.
    assert.deepEqual(ended, [
      ['a', 2150],
      ['b', 3150],
    ])
  })
})

const texts = [
  'idle',
  'steady cpu=1500m',
  'ramp from=0 to=2 over=3s',
  'bursty low=100m high=2 every=700ms for=210ms',
  'spiky low=0 high=3 every=500ms for=100ms',
  'batch work=2s threads=2',
  'requests rate=60 cpu=9ms threads=2',
  'requests rate=100 cpu=20ms spread=exponential queue=20',
]
const scene = fc.record({
  cpus: fc.integer({ min: 1, max: 4 }),
  containers: fc.array(
    fc.record({
      load: fc.constantFrom(...texts),
      shares: fc.integer({ min: 2, max: 4096 }),
      quotaMicros: fc.option(fc.integer({ min: 1000, max: 300_000 })),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  change: fc.record({
    millis: fc.integer({ min: 1, max: 5000 }),
    quotaMicros: fc.integer({ min: 1000, max: 200_000 }),
  }),
})

void describe('laws of a node', () => {
  void test('reading often or seldom gives the same, exactly; counters grow; CPU is not made up', async () => {
    const readEvery = fc.integer({ min: 7, max: 900 })
    await fc.assert(
      fc.asyncProperty(scene, readEvery, async ({ cpus, containers, change }, every) => {
        const [often, seldom] = [node({ cpus }), node({ cpus })]
        const ids = containers.map((_, i) => `c${i}`)
        for (const { add } of [often, seldom]) {
          for (const [i, { load, ...settings }] of containers.entries())
            add(`c${i}`, load, settings)
        }
        const readingOf = (id: string) => ({
          ...often.read(id),
          waitedMicros: often.kernel.waitedMicros(id) ?? NaN,
        })
        const before = new Map(ids.map((id) => [id, readingOf(id)]))
        const readAll = async (millis: number) => {
          await often.until(millis)
          for (const id of ids) {
            const now = readingOf(id)
            for (const name of [
              'usageMicros',
              'periods',
              'throttledPeriods',
              'throttledMicros',
              'waitedMicros',
            ] as const) {
              assert.ok(now[name] >= (before.get(id)?.[name] ?? 0), name)
            }
            before.set(id, now)
          }
          // Turns with quota overlap a little more than share.ts assumes.
          assert.ok(often.kernel.usedMicros() <= millis * 1000 * cpus * 1.1 + 100_000)
        }
        for (let millis = every; millis < change.millis; millis += every) await readAll(millis)
        for (const { until, kernel } of [often, seldom]) {
          await until(change.millis)
          kernel.set('c0', cpu({ quotaMicros: change.quotaMicros }))
        }
        for (let millis = change.millis; millis < 6000; millis += every) await readAll(millis)
        await often.until(6000)
        await seldom.until(6000)
        for (const id of ids) {
          assert.deepEqual(often.read(id), seldom.read(id))
          assert.equal(often.kernel.waitedMicros(id), seldom.kernel.waitedMicros(id))
          assert.deepEqual(often.kernel.latency(id), seldom.kernel.latency(id))
        }
        assert.deepEqual(often.ended, seldom.ended)
      }),
      { numRuns: 60 },
    )
  })

  void test('a node uses the smaller of its CPUs and what its containers want', async () => {
    const someone = fc.record({
      milliCpu: fc.integer({ min: 0, max: 3000 }),
      shares: fc.integer({ min: 2, max: 4096 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(someone, { minLength: 1, maxLength: 8 }), async (all) => {
        const { add, until, kernel } = node({ cpus: 3 })
        for (const [i, { milliCpu, shares }] of all.entries())
          add(`c${i}`, `steady cpu=${milliCpu}m`, { shares })
        await until(10_000)
        const wanted = all.reduce((sum, { milliCpu }) => sum + milliCpu, 0)
        assert.equal(kernel.usedMicros(), Math.min(3000, wanted) * 10_000)
      }),
    )
  })
})

void test('the cgroup port finds a container by its ID with any runtime in front', async () => {
  const { add, kernel, until } = node()
  add('0a1b', 'steady cpu=1')
  await until(1000)
  const { read } = readSimulatedCgroups(kernel)
  const place = { podUid: 'of 0a1b', qosClass: 'Burstable' } as const
  assert.equal(read({ ...place, containerId: 'containerd://0a1b' })?.usageMicros, 1_000_000)
  assert.equal(read({ ...place, containerId: 'containerd://none' }), undefined)
})
