import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { figuresOf } from './pass.ts'
import { services } from './scene.ts'
import type { Reading } from './trace.ts'

/** A pass of 15 s: warm-up to 2 s, saturation to 7, contention to 12, bursts to 15. */
const passSeconds = 15
const members = services.filter(({ name }) => name === 'gateway' || name === 'noise')
const request = (seconds: number, cpuMicros = 100_000) => ({
  atMicros: seconds * 1e6,
  cpuMicros,
  untilMicros: Infinity,
})

/** Every 100 ms, with a constant use and quota. */
const steady = (usedCores: number): Reading[] =>
  Array.from({ length: passSeconds * 10 + 1 }, (_, i) => ({
    atMicros: i * 1e5,
    usageMicros: i * 1e5 * usedCores,
    periods: i,
    throttledPeriods: i >= 20 && i % 2 === 0 ? i / 2 : 0,
    quotaCores: 0.5,
    promisedCores: 0.25,
  }))

const disturbance = { stealRatio: 0.01, othersRatio: 0.02 }

void describe('the figures of a pass', () => {
  const loads = [
    // Warm-up, saturation, contention with 0.4 cores, bursts.
    { name: 'gateway-0', requests: [request(1), request(3), request(8, 2e6), request(13)] },
    { name: 'noise-0', requests: [request(4), request(9, 1e6)] },
  ]
  const figures = figuresOf(
    {
      groups: [
        { readings: steady(0.2), doneMicros: [1.9e6, 3.2e6, NaN, 13.4e6] },
        { readings: steady(0.2), doneMicros: [6e6, 10e6] },
      ],
      disturbance,
    },
    { members, loads, passSeconds },
  )

  void test('latency counts from the intended arrival, where there is CPU enough, without noise', () => {
    assert.deepEqual(
      figures.latencies.map((millis) => Math.round(millis)),
      [200, 400],
    )
    assert.deepEqual([figures.p50, figures.p99].map(Math.round), [400, 400])
    assert.equal(Math.round(figures.p99ByService['noise'] ?? 0), 2000)
  })

  void test('cores add up over the groups', () => {
    const { usedCores, allowedCores, promisedCores } = figures
    assert.deepEqual(
      [usedCores, allowedCores, promisedCores].map((n) => Number(n.toFixed(6))),
      [0.4, 1, 0.5],
    )
    assert.equal(figures.changesPerMinute, 0)
    assert.equal(figures.disturbance, disturbance)
  })

  void test('fairness is over used/demanded in contention: 0.5 and 1 here', () => {
    assert.ok(Math.abs(figures.jain - 0.9) < 1e-6)
  })

  void test('every phase is told by itself', () => {
    const { saturation, contention } = figures.byPhase
    assert.ok(Math.abs((saturation?.demandedCores ?? 0) - 0.04) < 1e-9)
    assert.ok(Math.abs((contention?.demandedCores ?? 0) - 0.6) < 1e-9)
  })
})
