/** The control law in a closed loop with the simulated kernel: the promises, as numbers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { decidePublication, type Publication } from '../../src/core/demand/publication.ts'
import { startGuard, stepGuard } from '../../src/core/guardrail/guardrail.ts'
import { seededRandom } from '../../src/core/random.ts'
import { millicores, millis } from '../../src/core/units.ts'
import { each } from '../each.ts'
import { describeEstimator, estimatorCases, measureEstimator, median } from './estimator-table.ts'
import { createKernelPlant } from './kernel-plant.ts'
import { describeProfiles, measureProfile, profiles } from './profiles.ts'
import { createQueuePlant, type QueueLoad } from './queue-plant.ts'
import { runLaw, toMicros, type Turn } from './run-law.ts'

const FAST_LOOP_SECONDS = 2

void describe('the estimate of demand, after a quota that was too small is released', () => {
  const cases = estimatorCases.filter(
    ({ samplingSeconds, threads }) => samplingSeconds === 0.25 || threads === 4,
  )
  for (const one of cases) {
    const { loop, samplingSeconds, threads, frozenRatio } = one
    const name = `${loop} loop, ${samplingSeconds} s sampling, ${threads} threads, quota ${frozenRatio}`
    void test(`${name}: within 10 % five seconds later`, () => {
      const row = measureEstimator(one, 5)
      const told = describeEstimator([row])
      assert.ok((row.errors.at(-1)?.median ?? NaN) <= 0.1, told)
      assert.ok(row.below.median <= FAST_LOOP_SECONDS, told)
      assert.ok(row.overshoot.median <= 5.5, told)
      assert.ok(row.sufficientSeconds.median <= FAST_LOOP_SECONDS, told)
    })
  }
})

void describe('profiles at 250 ms', () => {
  for (const threads of [1, 2, 4]) {
    void test(`x3 load on ${threads} threads has its quota within a second at the median`, () => {
      const row = measureProfile({ profile: 'step', samplingSeconds: 0.25, threads }, 3)
      assert.ok(
        row.stepSeconds.length >= 6 && median(row.stepSeconds) <= 1,
        describeProfiles([row]),
      )
    })
  }
  for (const profile of Object.keys(profiles)) {
    void test(`${profile}: throttled in less than 5 % of periods, at less than 4.5 times the use`, () => {
      const row = measureProfile({ profile, samplingSeconds: 0.25, threads: 2 }, 1)
      assert.ok(row.throttledRatio < 0.05 && row.quotaRatio < 4.5, describeProfiles([row]))
    })
  }
})

const lastOf = (load: string, { cpus = 4, seconds = 20, quota = 0.1 } = {}): Turn => {
  const plant = createKernelPlant(load, { cpus, quotaMicros: toMicros(quota) })
  let last: Turn | undefined
  runLaw({
    plant,
    cpus,
    samplingSeconds: 0.25,
    forSeconds: seconds,
    each: (turn) => (last = turn),
  })
  assert.ok(last !== undefined)
  return last
}

void describe('loads of the simulated kernel, from a quota of 100m', () => {
  each(
    [
      { name: 'steady', load: 'steady cpu=300m', demand: 0.3 },
      { name: 'steady on four threads', load: 'steady cpu=900m threads=4', demand: 0.9 },
      { name: 'above one CPU', load: 'steady cpu=2500m threads=3', demand: 2.5 },
      { name: 'batch takes all of its threads', load: 'batch work=500s threads=3', demand: 3 },
      { name: 'requests', load: 'requests rate=800 cpu=1ms threads=1 seed=1', demand: 0.8 },
      { name: 'requests on 4', load: 'requests rate=1500 cpu=1ms threads=4 seed=1', demand: 1.5 },
    ],
    ({ load, demand }) => {
      const { law, tracked } = lastOf(load)
      assert.ok(Math.abs(law.estimateCores / demand - 1) < 0.1, `${law.estimateCores}`)
      assert.ok(law.quotaCores >= demand || law.quotaCores === 4, law.reason)
      assert.equal(tracked.rates?.throttledPeriods, 0)
    },
  )
})

void describe('a contended market', () => {
  const demand = 0.8
  const rate = demand * 1000
  const load: QueueLoad = {
    threads: 4,
    cpuMicros: 1000,
    arrivals: { ratePerSecond: () => rate, highestRate: rate },
  }
  void test('a grant of half the demand does not hide it, nor does the release', () => {
    const quotaMicros = toMicros(1)
    const limit = { quotaMicros, burstMicros: quotaMicros }
    const plant = createQueuePlant(load, { cpus: 4, random: seededRandom(3), limit })
    const scarce = (at: number): boolean => at >= 10 && at < 40
    let below = 0
    let last: Turn | undefined
    runLaw({
      plant,
      cpus: 4,
      samplingSeconds: 0.25,
      forSeconds: 60,
      grant: ({ atSeconds, law }) =>
        scarce(atSeconds) ? Math.min(law.quotaCores, 0.4) : law.quotaCores,
      each(turn) {
        last = turn
        const { atSeconds, law } = turn
        if (scarce(atSeconds) && law.estimateCores < 0.9 * demand) below += 0.25
        // It asks for more than it gets for as long as it gets too little.
        if (atSeconds > 12 && scarce(atSeconds)) assert.ok(law.quotaCores >= demand * 0.99)
      },
    })
    assert.ok(below <= FAST_LOOP_SECONDS, `${below}`)
    assert.ok(Math.abs((last?.law.estimateCores ?? 0) / demand - 1) < 0.1)
  })
})

void describe('a mount that is read only', () => {
  for (const samplingSeconds of [0.1, 0.25, 1]) {
    void test(`sampled every ${samplingSeconds} s, x3 load is raised within two seconds by the guardrail alone`, () => {
      const stepAt = 20.1
      const shape = (at: number): number => (at < stepAt ? 200 : 600)
      const quotaMicros = toMicros(0.3)
      const plant = createQueuePlant(
        { threads: 2, cpuMicros: 1000, arrivals: { ratePerSecond: shape, highestRate: 600 } },
        { cpus: 2, random: seededRandom(7), limit: { quotaMicros, burstMicros: quotaMicros } },
      )
      let guard = startGuard
      let raisedAt: number | undefined
      runLaw({
        plant,
        cpus: 2,
        samplingSeconds,
        forSeconds: 40,
        grant({ atSeconds, law, tracked, quotaCores }) {
          const { seconds, periods, throttledPeriods } = tracked.rates ?? assert.fail('no rates')
          const { state, raiseTo } = stepGuard(guard, {
            seconds,
            periods,
            throttledPeriods,
            latency: undefined,
            current: millicores(Math.round(quotaCores * 1000)),
            ceiling: millicores(2000),
            estimateCores: law.estimateCores,
          })
          guard = state
          if (atSeconds > stepAt && raiseTo !== undefined) raisedAt ??= atSeconds
          return raiseTo === undefined ? undefined : raiseTo / 1000
        },
        each: () => {},
      })
      assert.ok((raisedAt ?? Infinity) - stepAt <= 2, `${raisedAt}`)
      const { quotaMicros: granted } = plant.read(40_000_000)
      assert.ok((granted ?? 0) >= 60_000, `${granted}`)
    })
  }
})

void describe('two speeds', () => {
  void test('a steady load moves the kernel often and publishes at most once a minute', () => {
    const rate = 400
    const quotaMicros = toMicros(0.6)
    const plant = createQueuePlant(
      { threads: 2, cpuMicros: 1000, arrivals: { ratePerSecond: () => rate, highestRate: rate } },
      { cpus: 2, random: seededRandom(5), limit: { quotaMicros, burstMicros: quotaMicros } },
    )
    const minutes = 10
    let last: Publication | undefined
    let published = 0
    runLaw({
      plant,
      cpus: 2,
      samplingSeconds: 0.25,
      forSeconds: 60 * minutes,
      each({ atSeconds, tracked }) {
        const at = millis(Math.round(atSeconds * 1000))
        const wanted = millicores(Math.ceil((tracked.demandCores ?? 0) * 1150))
        const isUrgent = (tracked.demandCores ?? 0) * 1000 > (last?.amount ?? Infinity)
        const asked = { last, wanted, isUrgent, startedAt: millis(0), at }
        if (!decidePublication(asked).publish) return
        last = { amount: wanted, at }
        published += 1
      },
    })
    assert.ok(published <= minutes, `${published}`)
    assert.ok(Math.abs((last?.amount ?? 0) / 460 - 1) < 0.15, `${last?.amount}`)
  })
})
