import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { openEvaluation } from './evaluation.ts'
import { figuresOf, type Measured } from './figures.ts'
import { idle } from './sampler.ts'
import type { SpecEvent } from './spec-watch.ts'

const startMicros = 5e6
const event = (uid: string, rest: Partial<SpecEvent>): SpecEvent => ({
  atMicros: startMicros - 1e6,
  uid,
  workload: 'gateway',
  request: 250,
  isChange: false,
  restarts: 0,
  pod: undefined,
  ...rest,
})

async function measured(rest: Partial<Measured> = {}): Promise<Measured> {
  const evaluation = await openEvaluation({ cpus: 2, seconds: 15 })
  return {
    arm: 'VPA',
    evaluation,
    slots: [
      {
        workload: 'gateway',
        requests: [1e6, 3e6, 8e6, 14e6].map((atMicros) => ({ atMicros, cpuMicros: 1 })),
      },
    ],
    millis: [Float64Array.of(10, 90, 110, NaN)],
    activities: new Map([['gateway', [{ ...idle, usedMicros: 3e6, throttledPeriods: 4 }]]]),
    events: ['g', 'a', 'b', 'n'].map((uid) => event(uid, {})),
    startMicros,
    giveUpMillis: 18_000,
    machine: { programCores: 0.01, stealRatio: 0, othersRatio: 0 },
    wanted: new Map([['gateway', '109m']]),
    ...rest,
  }
}

void describe('the figures of a pass', () => {
  void test('late or unanswered requests are missed, and count until they were given up', async () => {
    const { services, wanted } = figuresOf(await measured())
    const [gateway, , , noise] = services
    assert.equal(gateway?.overall?.missedRatio, 0.5)
    assert.equal(gateway.overall.unanswered, 1)
    assert.equal(gateway.overall.p99, 4000)
    assert.deepEqual(Object.keys(gateway.phases), ['warm-up', 'saturation', 'contention', 'bursty'])
    assert.equal(gateway.phases['saturation']?.p50, 90)
    assert.deepEqual([gateway.usedCores, gateway.throttledPeriods], [0.2, 4])
    assert.equal(noise?.overall, undefined)
    assert.deepEqual(wanted, { gateway: '109m' })
  })

  void test('changes are counted, those under load apart', async () => {
    const before = event('g', { isChange: true })
    const during = event('a', { isChange: true, atMicros: startMicros + 1 })
    const { events } = await measured()
    const figures = figuresOf(await measured({ events: [...events, before, during] }))
    assert.deepEqual([figures.changes, figures.changesUnderLoad], [2, 1])
    assert.equal(figures.restarts, 0)
  })

  void test('restarts are containers started again, and pods in place of others', async () => {
    const { events } = await measured()
    const more = [event('g', { restarts: 2 }), event('g2', {})]
    assert.equal(figuresOf(await measured({ events: [...events, ...more] })).restarts, 3)
  })
})
