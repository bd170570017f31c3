import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { parseLoad } from '../../apis/load.ts'
import { latencyQuantile } from '../../core/comparison/latency-histogram.ts'
import { seededRandom } from '../../core/random.ts'
import { createNodeKernel } from './node-kernel.ts'

const freeCpu = { shares: 1024, quotaMicros: null, periodMicros: 100_000, burstMicros: 0 }

/** A node on which one container does one thing after the other, each for so many seconds. */
function live(
  days: readonly { readonly load: string; readonly seconds: number }[],
  { quotaMillis, targetMillis }: { quotaMillis?: number; targetMillis?: number } = {},
) {
  let now = 0
  const agenda = { now: () => now, at: () => () => {} }
  const kernel = createNodeKernel({ agenda, cpus: 4, random: seededRandom(1) })
  const cpu = quotaMillis === undefined ? freeCpu : { ...freeCpu, quotaMicros: quotaMillis * 1000 }
  const target = targetMillis === undefined ? {} : { targetMillis }
  for (const [i, { load, seconds }] of days.entries()) {
    if (i === 0) kernel.add({ id: 'c', podUid: 'p', cpu, load: parseLoad(load), ...target })
    else kernel.setLoad('c', parseLoad(load))
    now += seconds * 1000
  }
  const [reading, latency] = [kernel.read('c'), kernel.latency('c')]
  assert.ok(reading !== undefined)
  return { reading, latency, demanded: kernel.demandedMicros('c') ?? NaN }
}

void describe('a container whose load changes', () => {
  each(
    [
      {
        name: 'goes on counting',
        days: [
          { load: 'steady cpu=500m', seconds: 10 },
          { load: 'steady cpu=1500m', seconds: 20 },
        ],
        used: 35,
        demanded: 35,
      },
      {
        name: 'begins a ramp at the change',
        days: [
          { load: 'steady cpu=1', seconds: 100 },
          { load: 'ramp from=0 to=1 over=100s', seconds: 100 },
        ],
        used: 150,
        demanded: 150,
      },
      {
        name: 'wants more than its quota lets it use',
        days: [
          { load: 'idle cpu=0', seconds: 10 },
          { load: 'steady cpu=2', seconds: 100 },
        ],
        quotaMillis: 50,
        used: 50,
        demanded: 200,
      },
    ],
    ({ days, quotaMillis, used, demanded }) => {
      const seen = live(days, quotaMillis === undefined ? {} : { quotaMillis })
      assert.ok(
        Math.abs(seen.reading.usageMicros / 1e6 - used) < 0.2,
        `${seen.reading.usageMicros}`,
      )
      assert.ok(Math.abs(seen.demanded / 1e6 - demanded) < 0.2, `${seen.demanded}`)
    },
  )

  void test('answers what waited when its rate falls to nothing', () => {
    const rush = { load: 'requests rate=100 cpu=10ms threads=1 queue=5000 seed=1', seconds: 20 }
    const quiet = { load: 'requests rate=0 cpu=10ms threads=1', seconds: 60 }
    const during = live([rush], { quotaMillis: 50 })
    const after = live([rush, quiet], { quotaMillis: 50 })
    const waiting = during.demanded / 10_000 - (during.latency?.requests ?? 0)
    assert.ok(waiting > 500, `${waiting} wait`)
    assert.equal(after.latency?.requests, after.demanded / 10_000)
    assert.equal(after.demanded, during.demanded)
  })

  void test('takes up at once what waits, if it gets more threads', () => {
    const narrow = { load: 'requests rate=50 cpu=40ms threads=1 queue=5000 seed=1', seconds: 20 }
    const wide = { load: 'requests rate=0 cpu=40ms threads=4', seconds: 6 }
    const seen = live([narrow, wide])
    assert.equal(seen.latency?.requests, seen.demanded / 40_000)
  })

  void test('may serve requests, do something else, and serve again', () => {
    const serving = { load: 'requests rate=20 cpu=1ms seed=5', seconds: 50 }
    const { latency } = live([serving, { load: 'steady cpu=1', seconds: 10 }, serving])
    assert.ok(Math.abs((latency?.requests ?? 0) - 2000) < 150, `${latency?.requests}`)
  })

  void test('does not depend on its neighbours for its chance', () => {
    const requestsOf = (neighbours: number) => {
      let now = 0
      const agenda = { now: () => now, at: () => () => {} }
      const kernel = createNodeKernel({ agenda, cpus: 64, random: seededRandom(1) })
      const load = parseLoad('requests rate=20 cpu=1ms')
      kernel.add({ id: 'c', podUid: 'p', cpu: freeCpu, load })
      for (let i = 0; i < neighbours; i += 1) {
        kernel.add({ id: `n${i}`, podUid: 'p', cpu: freeCpu, load })
      }
      now = 10_000
      kernel.setLoad('c', load)
      now = 1_000_000
      return kernel.latency('c')?.requests
    }
    assert.equal(requestsOf(0), requestsOf(7))
  })
})

void describe('what is counted of answers', () => {
  void test('has a p99 within 3 % of the exact one', () => {
    // M/M/1 at half load: exponential with mean 20 ms, so p99 is 20 ms x ln 100.
    const load = 'requests rate=50 cpu=10ms spread=exponential seed=3'
    const { latency } = live([{ load, seconds: 20_000 }])
    const p99 = latencyQuantile(latency?.fine ?? [], 0.99) ?? NaN
    const exact = 20 * Math.log(100)
    assert.ok(Math.abs(p99 / exact - 1) < 0.03, `expected ${exact} ms, got ${p99}`)
  })

  void test('knows exactly who came after the target, and counts the refused with them', () => {
    const load = 'requests rate=100 cpu=10ms queue=50 seed=1'
    const { latency } = live([{ load, seconds: 100 }], { quotaMillis: 50, targetMillis: 250 })
    const within = latency?.buckets.find(({ upToMillis }) => upToMillis === 250)?.count ?? NaN
    assert.ok((latency?.refused ?? 0) > 1000)
    assert.equal(
      latency?.late,
      latency === undefined ? NaN : latency.requests - within + (latency.refused ?? 0),
    )
    assert.equal(live([{ load, seconds: 1 }]).latency?.late, undefined)
  })
})
