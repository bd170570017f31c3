import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { parseLoad } from '../../apis/load.ts'
import { seededRandom } from '../../core/random.ts'
import { createNodeKernel } from './node-kernel.ts'

const freeCpu = { shares: 1024, quotaMicros: null, periodMicros: 100_000, burstMicros: 0 }

function serve(
  text: string,
  { seconds = 1000, quotaMillis }: { seconds?: number; quotaMillis?: number } = {},
) {
  let now = 0
  const agenda = { now: () => now, at: () => () => {} }
  const kernel = createNodeKernel({ agenda, cpus: 8, random: seededRandom(1) })
  const cpu = quotaMillis === undefined ? freeCpu : { ...freeCpu, quotaMicros: quotaMillis * 1000 }
  kernel.add({ id: 'c', podUid: 'p', cpu, load: parseLoad(text) })
  now = seconds * 1000
  const [latency, reading] = [kernel.latency('c'), kernel.read('c')]
  assert.ok(latency !== undefined && reading !== undefined)
  const within = (millis: number) =>
    (latency.buckets.find(({ upToMillis }) => upToMillis === millis)?.count ?? NaN) /
    latency.requests
  return { latency, reading, within }
}

void describe('requests', () => {
  /** M/M/1: latency is exponential with rate (1 - rho) / need; M/M/c with few busy: that of one. */
  each(
    [
      {
        name: 'M/M/1 at half load',
        text: 'rate=50 cpu=10ms',
        millis: 25,
        share: 1 - Math.exp(-25 / 20),
      },
      {
        name: 'M/M/1 at 80 % load',
        text: 'rate=80 cpu=10ms',
        millis: 100,
        share: 1 - Math.exp(-100 / 50),
      },
      {
        name: 'many threads: everyone is served at once',
        text: 'rate=50 cpu=10ms threads=50',
        millis: 10,
        share: 1 - Math.exp(-1),
      },
    ],
    ({ text, millis, share }) => {
      const { within } = serve(`requests ${text} spread=exponential seed=3`)
      const got = within(millis)
      assert.ok(Math.abs(got - share) < 0.02, `expected ${share} within ${millis} ms, got ${got}`)
    },
  )

  each(
    [
      { name: 'a fixed need', spread: 'fixed' },
      { name: 'an exponential need', spread: 'exponential' },
      { name: 'a heavy need', spread: 'heavy' },
      { name: 'a need with spikes', spread: 'spikes' },
    ],
    ({ spread }) => {
      const { reading } = serve(`requests rate=20 cpu=10ms spread=${spread} seed=1`)
      const cores = reading.usageMicros / 1e9
      assert.ok(Math.abs(cores - 0.2) < 0.01, `expected 0.2 cores on average, got ${cores}`)
    },
  )

  void test('a tight quota makes the same requests slower', () => {
    const text = 'requests rate=20 cpu=10ms seed=1'
    const [free, tight] = [serve(text), serve(text, { quotaMillis: 25 })]
    assert.ok(free.within(25) > 0.95)
    assert.ok(tight.within(25) < 0.8)
    assert.ok(tight.reading.throttledPeriods > 500)
    assert.ok(Math.abs(tight.latency.requests - free.latency.requests) < 10)
  })

  void test('what the quota cannot serve is refused once the queue is full', () => {
    const { latency, reading } = serve('requests rate=100 cpu=10ms queue=50', { quotaMillis: 50 })
    assert.ok(Math.abs(reading.usageMicros / 1e9 - 0.5) < 0.001)
    assert.ok(Math.abs(latency.requests / 50_000 - 1) < 0.01)
    assert.ok(Math.abs((latency.refused ?? 0) / 50_000 - 1) < 0.05)
  })

  each(
    [
      { name: 'a rate that ramps up and stays', text: 'rate=0 to=20 over=500s', requests: 15_000 },
      { name: 'a rate that swings', text: 'rate=10 peak=30 every=100s', requests: 20_000 },
      { name: 'no requests at all', text: 'rate=0', requests: 0 },
    ],
    ({ text, requests }) => {
      const { latency } = serve(`requests ${text} cpu=1ms seed=2`)
      assert.ok(Math.abs(latency.requests - requests) <= requests * 0.03, `got ${latency.requests}`)
    },
  )
})
