import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { advance, type Bandwidth, changeLimit, type Limit, startBandwidth } from './bandwidth.ts'

const limit = (quotaMillis: number | null, over: Partial<Limit> = {}): Limit => ({
  quotaMicros: quotaMillis === null ? null : quotaMillis * 1000,
  periodMicros: 100_000,
  burstMicros: 0,
  ...over,
})
const start = { atMicros: 0, phaseMicros: 0 }
const threads = (count: number) => ({ milliCpu: count * 1000, waiters: count })
const idle = threads(0)

/** As a person reads them, in milliseconds. */
const shown = ({
  usageNanos,
  periods,
  throttledPeriods,
  throttledMicros,
  bursts,
  burstNanos,
}: Bandwidth) => ({
  usage: usageNanos / 1e6,
  periods,
  throttled: throttledPeriods,
  waited: throttledMicros / 1000,
  ...(bursts > 0 && { bursts, burst: burstNanos / 1e6 }),
})

void describe('bandwidth over one second', () => {
  each(
    [
      {
        name: 'one thread with a fifth of a CPU waits the rest of every period',
        limit: limit(20),
        demand: threads(1),
        gives: { usage: 200, periods: 10, throttled: 10, waited: 800 },
      },
      {
        name: 'two threads use it up in half the time, and both wait',
        limit: limit(20),
        demand: threads(2),
        gives: { usage: 200, periods: 10, throttled: 10, waited: 1800 },
      },
      {
        name: 'less than the quota is never throttled',
        limit: limit(20),
        demand: { milliCpu: 150, waiters: 1 },
        gives: { usage: 150, periods: 10, throttled: 0, waited: 0 },
      },
      {
        name: 'exactly the quota is never throttled',
        limit: limit(20),
        demand: { milliCpu: 200, waiters: 1 },
        gives: { usage: 200, periods: 10, throttled: 0, waited: 0 },
      },
      {
        name: 'without a limit nothing is counted but usage',
        limit: limit(null),
        demand: threads(3),
        gives: { usage: 3000, periods: 0, throttled: 0, waited: 0 },
      },
      {
        name: 'without demand the timer does not start',
        limit: limit(20),
        demand: idle,
        gives: { usage: 0, periods: 0, throttled: 0, waited: 0 },
      },
      {
        name: 'a quota of 1 ms is overrun by a tick, and four periods pay for it',
        limit: limit(1),
        demand: threads(1),
        gives: { usage: 12, periods: 10, throttled: 10, waited: 792 },
      },
    ],
    ({ limit, demand, gives }) => {
      const end = advance(startBandwidth(limit, start), { demand, limit, toMicros: 1_000_000 })
      assert.deepEqual(shown(end), gives)
    },
  )
})

void describe('bandwidth from one demand to the next', () => {
  type Step = readonly [toMillis: number, demand: { milliCpu: number; waiters: number }]
  const after = (limit: Limit, steps: readonly Step[]): Bandwidth =>
    steps.reduce(
      (state, [toMillis, demand]) => advance(state, { demand, limit, toMicros: toMillis * 1000 }),
      startBandwidth(limit, start),
    )
  each<{ name: string; limit: Limit; steps: readonly Step[]; gives: object }>(
    [
      {
        name: 'who is throttled waits for the refill, though it would have stopped before',
        limit: limit(20),
        steps: [
          [30, threads(1)],
          [200, idle],
        ],
        gives: { usage: 20, periods: 2, throttled: 1, waited: 80 },
      },
      {
        name: 'a tick after the quota is used the thread stops, and the debt shortens the next turn',
        limit: limit(18),
        steps: [
          [100, threads(1)],
          [200, threads(1)],
        ],
        gives: { usage: 36, periods: 2, throttled: 2, waited: 164 },
      },
      {
        name: 'a throttling that lasts does not show before it is over',
        limit: limit(20),
        steps: [[99, threads(1)]],
        gives: { usage: 20, periods: 0, throttled: 0, waited: 0 },
      },
      {
        name: 'the timer stops at the second quiet refill and starts again with demand',
        limit: limit(20),
        steps: [
          [5, threads(1)],
          [1000, idle],
          [1005, threads(1)],
          [2000, idle],
        ],
        gives: { usage: 10, periods: 4, throttled: 0, waited: 0 },
      },
      {
        name: 'a CPU that fell asleep has a millisecond more than the quota when it wakes up',
        limit: limit(20),
        steps: [
          [5, threads(1)],
          [204, idle],
          [300, threads(1)],
        ],
        // 20 ms are full at 224, the millisecond lasts to the tick after it.
        gives: { usage: 29, periods: 3, throttled: 1, waited: 72 },
      },
      {
        name: 'with burst, what was left in quiet periods is used at once',
        limit: limit(20, { burstMicros: 20_000 }),
        steps: [
          [200, idle],
          [201, threads(1)],
          [400, idle],
          [500, threads(1)],
        ],
        gives: { usage: 45, periods: 3, throttled: 1, waited: 56, bursts: 1, burst: 20 },
      },
    ],
    ({ limit, steps, gives }) => assert.deepEqual(shown(after(limit, steps)), gives),
  )

  void test('a new quota refills at once and lets the throttled go on', () => {
    const [from, to] = [limit(20), limit(40)]
    const throttled = after(from, [[50, threads(1)]])
    assert.ok(throttled.isThrottled)
    const changed = changeLimit(throttled, { from, to })
    assert.deepEqual(shown(changed), { usage: 20, periods: 0, throttled: 0, waited: 30 })
    const end = advance(changed, { demand: threads(1), limit: to, toMicros: 200_000 })
    assert.deepEqual(shown(end), { usage: 102, periods: 2, throttled: 2, waited: 98 })
  })
})

const limits = fc
  .record({
    quotaMicros: fc.option(fc.integer({ min: 1000, max: 350_000 }), { freq: 10 }),
    periodMicros: fc.oneof(fc.constant(100_000), fc.integer({ min: 10_000, max: 200_000 })),
    burstRatio: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ quotaMicros, periodMicros, burstRatio }) => ({
    quotaMicros,
    periodMicros,
    burstMicros: Math.floor((quotaMicros ?? 0) * burstRatio),
  }))
const steps = fc.array(
  fc.record({
    milliCpu: fc.oneof(fc.constant(0), fc.constant(1000), fc.integer({ min: 1, max: 3000 })),
    waiters: fc.integer({ min: 1, max: 3 }),
    micros: fc.integer({ min: 1, max: 3_000_000 }),
  }),
  { minLength: 1, maxLength: 6 },
)
const phaseMicros = fc.integer({ min: 0, max: 99_999 })

void describe('bandwidth laws', () => {
  void test('cutting an interval anywhere changes nothing, to the nanosecond', () => {
    const cuts = fc.integer({ min: 1700, max: 250_000 })
    fc.assert(
      fc.property(limits, steps, phaseMicros, cuts, (limit, steps, phaseMicros, cut) => {
        let whole = startBandwidth(limit, { atMicros: 0, phaseMicros })
        let pieces = whole
        for (const { micros, ...demand } of steps) {
          const toMicros = whole.atMicros + micros
          whole = advance(whole, { demand, limit, toMicros })
          while (pieces.atMicros < toMicros) {
            const next = Math.min(pieces.atMicros + cut, toMicros)
            pieces = advance(pieces, { demand, limit, toMicros: next })
          }
          assert.deepEqual(pieces, whole)
        }
      }),
      { numRuns: 300 },
    )
  })

  void test('counters only grow, and usage stays within demand and within quota, burst and a tick', () => {
    fc.assert(
      fc.property(limits, steps, phaseMicros, (limit, steps, phaseMicros) => {
        let state = startBandwidth(limit, { atMicros: 0, phaseMicros })
        const mostCpus = Math.max(...steps.map(({ waiters }) => waiters))
        const fastest = Math.max(...steps.map(({ milliCpu }) => milliCpu))
        for (const { micros, ...demand } of steps) {
          const before = state
          state = advance(state, { demand, limit, toMicros: before.atMicros + micros })
          const used = state.usageNanos - before.usageNanos
          assert.ok(used >= 0 && used <= demand.milliCpu * micros)
          for (const name of [
            'periods',
            'throttledPeriods',
            'throttledMicros',
            'bursts',
            'burstNanos',
          ] as const) {
            assert.ok(state[name] >= before[name], name)
          }
          assert.ok(state.throttledPeriods <= state.periods)
          if (limit.quotaMicros === null) continue
          const refills = Math.floor(micros / limit.periodMicros) + 1
          const slack = fastest * 4000 + mostCpus * 1e6
          const allowed = ((refills + 1) * limit.quotaMicros + limit.burstMicros) * 1000 + slack
          assert.ok(used <= allowed, `used ${used} of ${allowed}`)
        }
      }),
    )
  })

  void test('an hour costs as few steps as a second', () => {
    const everySecond = { milliCpu: 1000, waiters: 1 }
    const hour = advance(startBandwidth(limit(20), start), {
      demand: everySecond,
      limit: limit(20),
      toMicros: 3.6e9,
    })
    assert.deepEqual(shown(hour), {
      usage: 720_000,
      periods: 36_000,
      throttled: 36_000,
      waited: 2_880_000,
    })
  })
})
