import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { fixed } from '../../../src/core/rivals/fixed.ts'
import { millicores, millis } from '../../../src/core/units.ts'
import { quantile } from '../statistics.ts'
import { type JudgedLaw, runPass } from './pass.ts'
import { type Profile, profiles } from './profile.ts'

const find = (wanted: string): Profile => {
  const found = profiles.find(({ name }) => name === wanted)
  assert.ok(found)
  return found
}
const steady = { profile: find('steady'), seed: 1 }

void describe('pass', () => {
  void test('without a limit that binds, latency is that of a queue of one server', () => {
    const { latencies, usageCores, throttledRatio } = runPass(fixed, {
      scene: steady,
      quota: millicores(2000),
    })
    // M/M/1: exponential with mean 1 ms / (1 - 0.07).
    const p99 = quantile(latencies, 0.99) ?? NaN
    assert.ok(Math.abs(p99 - 4.95) < 0.3, `${p99}`)
    assert.ok(Math.abs(usageCores - 0.07) < 0.004, `${usageCores}`)
    assert.equal(throttledRatio, 0)
  })

  void test('a quota below the demand throttles, and what waits at the end still counts', () => {
    const free = runPass(fixed, { scene: steady, quota: millicores(2000) })
    const short = runPass(fixed, { scene: steady, quota: millicores(50) })
    assert.equal(short.latencies.length, free.latencies.length)
    assert.ok((quantile(short.latencies, 0.5) ?? 0) > 5000)
    assert.ok(short.throttledRatio > 0.9)
  })

  void test('the clock of the step counts from the step to the first quota that suffices', () => {
    const raisesAt = (seconds: number): JudgedLaw<undefined> => ({
      ...fixed,
      start: () => undefined,
      decide: (state, { at }) => ({
        state,
        quota: millicores(at >= millis(seconds * 1000) ? 200 : 60),
      }),
    })
    const scene = { profile: find('x3 step'), seed: 1 }
    const seconds = (law: JudgedLaw<undefined>) =>
      runPass(law, { scene, quota: millicores(60) }).stepSeconds
    assert.deepEqual([40, 73, 999].map(raisesAt).map(seconds), [0, 3, Infinity])
  })

  void test('one seed gives one outcome, another another', () => {
    const run = (seed: number) =>
      runPass(fixed, { scene: { ...steady, seed }, quota: millicores(100) })
    assert.deepEqual(run(1), run(1))
    assert.notDeepEqual(run(1).latencies, run(2).latencies)
  })
})
