import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import {
  isSuffering,
  judge,
  type Latency,
  OLDEST_LATENCY_MILLIS,
  type Signals,
  slowRatioOf,
  type VerdictState,
} from './signals.ts'

const THRESHOLD = 0.05

const latency = (of: Partial<Latency> = {}): Latency => ({
  p99Millis: 50,
  targetMillis: 100,
  ageMillis: 1000,
  ...of,
})

/** On a full node. */
const signals = (of: Partial<Signals> = {}): Signals => ({
  throttledRatio: 0,
  waitedRatio: 0,
  latency: undefined,
  hasIdleCpu: false,
  ...of,
})

void describe('a pod', () => {
  each<{ name: string; of: Partial<Signals>; state: VerdictState; slow?: number }>(
    [
      { name: 'that neither waits nor is late is well', of: {}, state: 'well' },
      { name: 'that waits for much of the time suffers', of: { waitedRatio: 0.4 }, state: 'waits' },
      { name: 'that waits for a quarter is well', of: { waitedRatio: 0.25 }, state: 'well' },
      {
        name: 'that is above its target is late, however little it waits',
        of: { waitedRatio: 0.1, latency: latency({ p99Millis: 150 }) },
        state: 'late',
        slow: 1.5,
      },
      {
        name: 'that meets its target exactly is well',
        of: { latency: latency({ p99Millis: 100 }) },
        state: 'well',
        slow: 1,
      },
      {
        name: 'that is late and waits is late',
        of: { waitedRatio: 0.9, latency: latency({ p99Millis: 150 }) },
        state: 'late',
        slow: 1.5,
      },
      {
        name: 'beside idle CPU suffers from nobody',
        of: { waitedRatio: 0.4, latency: latency({ p99Millis: 150 }), hasIdleCpu: true },
        state: 'well',
        slow: 1.5,
      },
      {
        name: 'that is throttled suffers beside idle CPU too',
        of: { throttledRatio: 0.1, hasIdleCpu: true },
        state: 'throttled',
      },
      {
        name: 'throttled as often as is tolerated is well',
        of: { throttledRatio: 0.05 },
        state: 'well',
      },
    ],
    ({ of, state, slow }) => {
      const verdict = judge(signals(of), THRESHOLD)
      assert.deepEqual([verdict.state, verdict.slowRatio], [state, slow])
      assert.equal(isSuffering(verdict), state !== 'well')
    },
  )
})

void describe('a latency', () => {
  each<{ name: string; of: Partial<Latency>; gives: number | undefined }>(
    [
      { name: 'counts over its target', of: {}, gives: 0.5 },
      { name: 'counts up to 30 s', of: { ageMillis: OLDEST_LATENCY_MILLIS }, gives: 0.5 },
      { name: 'that is older does not', of: { ageMillis: 30_001 }, gives: undefined },
      { name: 'of unknown age does not', of: { ageMillis: NaN }, gives: undefined },
      { name: 'that is no number does not', of: { p99Millis: NaN }, gives: undefined },
      { name: 'that is infinite does not', of: { p99Millis: Infinity }, gives: undefined },
      { name: 'of a target of 0 does not', of: { targetMillis: 0 }, gives: undefined },
    ],
    ({ of, gives }) => assert.equal(slowRatioOf(latency(of)), gives),
  )
})

void test('more waiting, throttling or latency never makes a pod well', () => {
  const ratio = fc.double({ min: 0, max: 1, noNaN: true })
  const millis = fc.double({ min: 0, max: 1000, noNaN: true })
  fc.assert(
    fc.property(ratio, ratio, millis, ratio, (waitedRatio, throttledRatio, p99Millis, more) => {
      const of = { waitedRatio, throttledRatio, latency: latency({ p99Millis }) }
      const worse = {
        waitedRatio: waitedRatio + more,
        throttledRatio: throttledRatio + more,
        latency: latency({ p99Millis: p99Millis + 1000 * more }),
      }
      const [before, after] = [of, worse].map((one) => judge(signals(one), THRESHOLD))
      assert.ok(!isSuffering(before ?? assert.fail()) || isSuffering(after ?? assert.fail()))
    }),
  )
})
