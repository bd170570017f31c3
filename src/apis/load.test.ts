import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { describeLoad, loadTextOf, parseWrittenLoad, type WrittenLoad } from './load.ts'
import { spreads } from './requests-load.ts'

const service = { cpuMicros: 8000, spread: 'fixed', threads: 1, queue: 1000, seed: null } as const
const requests = {
  kind: 'requests',
  rate: { shape: 'steady', perSecond: 50, toPerSecond: 50, overMillis: 0 },
  ...service,
} as const
const recorded = {
  kind: 'recorded',
  file: 'day.csv',
  scale: 1,
  speed: 1,
  after: 'hold',
} as const

void describe('a load written by a person', () => {
  const bursts = { lowMilliCpu: 50, highMilliCpu: 2500, everyMillis: 10_000, forMillis: 1000 }
  each<{ name: string; load: WrittenLoad }>(
    [
      { name: 'idle', load: { kind: 'idle', milliCpu: 2 } },
      { name: 'steady cpu=300m', load: { kind: 'steady', milliCpu: 300, threads: 1 } },
      { name: 'steady cpu=1.5 threads=8', load: { kind: 'steady', milliCpu: 1500, threads: 8 } },
      {
        name: 'ramp from=100m to=900m over=10m',
        load: { kind: 'ramp', fromMilliCpu: 100, toMilliCpu: 900, overMillis: 600_000, threads: 1 },
      },
      {
        name: 'bursty low=50m high=2.5 every=10s for=1s',
        load: { kind: 'bursty', ...bursts, threads: 3 },
      },
      {
        name: '  spiky  high=2.5 every=10s for=1s low=50m seed=7 ',
        load: { kind: 'spiky', ...bursts, threads: 3, seed: 7 },
      },
      {
        name: 'batch work=30s threads=2 exit=1',
        load: { kind: 'batch', workMillis: 30_000, threads: 2, exitCode: 1 },
      },
      { name: 'requests rate=50 cpu=8ms', load: requests },
      {
        name: 'requests rate=0.5 to=200 over=10m cpu=500us threads=4 spread=heavy queue=0',
        load: {
          ...requests,
          rate: { shape: 'ramp', perSecond: 0.5, toPerSecond: 200, overMillis: 600_000 },
          cpuMicros: 500,
          threads: 4,
          spread: 'heavy',
          queue: 0,
        },
      },
      {
        name: 'requests rate=50 peak=200 every=24h cpu=8ms',
        load: {
          ...requests,
          rate: { shape: 'wave', perSecond: 50, toPerSecond: 200, overMillis: 86_400_000 },
        },
      },
      {
        name: 'recorded file=day.csv cpu=8ms',
        load: { ...recorded, unit: 'rate', ...service },
      },
      {
        name: 'recorded cpu=8ms threads=4 queue=5 seed=6 file=../x/day.csv scale=0.25 speed=120 after=loop',
        load: {
          ...recorded,
          file: '../x/day.csv',
          scale: 0.25,
          speed: 120,
          after: 'loop',
          unit: 'rate',
          ...service,
          threads: 4,
          queue: 5,
          seed: 6,
        },
      },
      {
        name: 'recorded file=jobs.csv',
        load: { ...recorded, file: 'jobs.csv', unit: 'cores', threads: null },
      },
      {
        name: 'recorded file=jobs.csv threads=3',
        load: { ...recorded, file: 'jobs.csv', unit: 'cores', threads: 3 },
      },
    ],
    ({ name, load }) => assert.deepEqual(parseWrittenLoad(name), load),
  )

  each(
    [
      {
        name: '',
        says: 'expected idle, steady, ramp, bursty, spiky, batch, requests, recorded, got nothing',
      },
      { name: 'stedy cpu=1', says: '(perhaps steady), got "stedy"' },
      { name: 'constructor', says: 'got "constructor"' },
      { name: 'steady', says: 'expected cpu, such as cpu=300m, got none' },
      { name: 'steady cpu', says: 'expected name=value, got "cpu"' },
      { name: 'steady cpu=1 cpu=2', says: 'expected cpu once, got it twice' },
      {
        name: 'steady cpu=1 thread=2',
        says: 'for steady cpu, threads (perhaps threads), got "thread"',
      },
      { name: 'steady cpu=300x', says: 'expected a suffix such as m, k, Ki or e3, got "x"' },
      { name: 'steady cpu=-1', says: 'cpu: expected 0 to 1000 CPUs, got "-1"' },
      {
        name: 'steady cpu=2 threads=1',
        says: 'expected at most 1 CPU for each of 1 threads, got 2000m',
      },
      {
        name: 'steady cpu=1 threads=0',
        says: 'threads: expected a whole number from 1 to 1000, got "0"',
      },
      { name: 'bursty high=1 every=1s for=1s', says: 'expected for to be shorter than every' },
      { name: 'ramp from=0 to=1 over=10', says: 'over: expected a duration such as 250ms or 15s' },
      {
        name: 'batch work=1s exit=256',
        says: 'exit: expected a whole number from 0 to 255, got "256"',
      },
      {
        name: 'requests rate=x cpu=1ms',
        says: 'rate: expected a number from 0 to 1000000, got "x"',
      },
      { name: 'requests rate=1 cpu=8', says: 'cpu: expected CPU time from 10us to 60s, got "8"' },
      {
        name: 'requests rate=1 cpu=1ms spread=flat',
        says: 'fixed, exponential, heavy, spikes, got "flat"',
      },
      { name: 'recorded cpu=1ms', says: 'expected file, such as file=day.csv, got none' },
      { name: 'recorded file=my day.csv', says: 'expected name=value, got "day.csv"' },
      {
        name: 'recorded file=a scale=0',
        says: 'scale: expected a number from 0.000001 to 1000000, got "0"',
      },
      {
        name: 'recorded file=a speed=-1',
        says: 'speed: expected a number from 0.000001 to 1000000, got "-1"',
      },
      { name: 'recorded file=a after=stop', says: 'after: expected hold, loop, got "stop"' },
      {
        name: 'recorded file=a spread=heavy',
        says: 'spread: expected with it cpu, the CPU time of a request, got none',
      },
      { name: 'recorded file=a rate=3', says: 'queue, seed, threads, got "rate"' },
      { name: 'requests rate=1 to=2 peak=3 over=1s cpu=1ms', says: 'expected either to or peak' },
    ].map(({ name, says }) => ({ name: `is refused: ${name}`, text: name, says })),
    ({ text, says }) =>
      assert.throws(
        () => parseWrittenLoad(text),
        ({ name, message }: Error) =>
          name === 'InvalidInput' &&
          message.startsWith(`parsing load ${JSON.stringify(text)}: `) &&
          message.includes(says),
      ),
  )
})

void test("a container's own annotation wins over its pod's; without any it idles", () => {
  const annotations = {
    'sim.mbcas.io/load': 'steady cpu=1',
    'sim.mbcas.io/load.side': 'batch work=1s',
  }
  assert.equal(loadTextOf(annotations, 'main'), 'steady cpu=1')
  assert.equal(loadTextOf(annotations, 'side'), 'batch work=1s')
  assert.equal(loadTextOf({}, 'main'), 'idle')
})

void test('a load survives being described and parsed', () => {
  const milli = fc.integer({ min: 0, max: 4000 })
  const millis = fc.integer({ min: 1, max: 1e7 })
  const threads = fc.integer({ min: 4, max: 100 })
  const seed = fc.option(fc.integer({ min: 0, max: 2 ** 32 - 1 }))
  const perSecond = fc.integer({ min: 0, max: 1e6 }).map((value) => value / 1000)
  const bursts = { lowMilliCpu: milli, highMilliCpu: milli, forMillis: millis, threads }
  const steadyRate = perSecond.map((value) => ({
    shape: 'steady' as const,
    perSecond: value,
    toPerSecond: value,
    overMillis: 0,
  }))
  const movingRate = fc.record({
    shape: fc.constantFrom('ramp' as const, 'wave' as const),
    perSecond,
    toPerSecond: perSecond,
    overMillis: millis,
  })
  const service = {
    cpuMicros: fc.integer({ min: 10, max: 6e7 }),
    spread: fc.constantFrom(...spreads),
    threads,
    queue: fc.integer({ min: 0, max: 1000 }),
    seed,
  }
  const factor = fc.integer({ min: 1, max: 1e12 }).map((value) => value / 1e6)
  const recorded = {
    kind: fc.constant('recorded' as const),
    file: fc.constantFrom('day.csv', '../a=b/Überlauf.csv'),
    scale: factor,
    speed: factor,
    after: fc.constantFrom('hold' as const, 'loop' as const),
  }
  const loads: fc.Arbitrary<WrittenLoad> = fc.oneof(
    fc.record({ kind: fc.constant('idle' as const), milliCpu: milli }),
    fc.record({ kind: fc.constant('steady' as const), milliCpu: milli, threads }),
    fc.record({
      kind: fc.constant('ramp' as const),
      fromMilliCpu: milli,
      toMilliCpu: milli,
      overMillis: millis,
      threads,
    }),
    fc.record({ kind: fc.constant('bursty' as const), ...bursts, everyMillis: fc.constant(2e7) }),
    fc.record({
      kind: fc.constant('spiky' as const),
      ...bursts,
      everyMillis: fc.constant(2e7),
      seed,
    }),
    fc.record({
      kind: fc.constant('batch' as const),
      workMillis: millis,
      threads,
      exitCode: fc.integer({ min: 0, max: 255 }),
    }),
    fc.record({
      kind: fc.constant('requests' as const),
      rate: fc.oneof(steadyRate, movingRate),
      ...service,
    }),
    fc.record({ ...recorded, unit: fc.constant('rate' as const), ...service }),
    fc.record({ ...recorded, unit: fc.constant('cores' as const), threads: fc.option(threads) }),
  )
  fc.assert(
    fc.property(loads, (load) => {
      // The generator's records have no prototype.
      assert.deepEqual(parseWrittenLoad(describeLoad(load)), structuredClone(load))
    }),
  )
})
