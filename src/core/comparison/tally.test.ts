import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { latencyBucketCount, latencyBucketOf } from './latency-histogram.ts'
import { isMissed, type PodWindow } from './pod-window.ts'
import { createTally } from './tally.ts'

const answers = (amount: number, tookMillis: number): Float64Array => {
  const counts = new Float64Array(latencyBucketCount)
  counts[latencyBucketOf(tookMillis * 1000)] = amount
  return counts
}

const windowOf = (given: Partial<PodWindow> = {}): PodWindow => ({
  at: 0,
  seconds: 10,
  workload: 'web',
  podUid: 'web-0',
  refused: 0,
  late: 0,
  periods: 0,
  throttledPeriods: 0,
  usedMicros: 0,
  demandedMicros: 0,
  promisedCoreSeconds: 0,
  writtenCoreSeconds: 0,
  pendingSeconds: 0,
  allowedCoreSeconds: 0,
  changes: 0,
  restarts: 0,
  ...given,
})

const resultOf = (windows: readonly Partial<PodWindow>[], seconds = 10) => {
  const tally = createTally()
  for (const window of windows) tally.add(windowOf(window))
  return tally.result('static', seconds)
}

void describe('a window', () => {
  const served = { targetMillis: 50, answers: answers(1000, 10) }
  each(
    [
      {
        name: 'one late answer in a hundred is allowed',
        window: { ...served, late: 10 },
        gives: false,
      },
      { name: 'more is a miss', window: { ...served, late: 11 }, gives: true },
      {
        name: 'who was turned away counts as asked and as late',
        window: { ...served, answers: answers(900, 10), refused: 100, late: 100 },
        gives: true,
      },
      {
        name: 'all turned away is a miss',
        window: { targetMillis: 50, refused: 5, late: 5 },
        gives: true,
      },
      {
        name: 'without requests there is nothing to miss',
        window: { targetMillis: 50 },
        gives: undefined,
      },
      { name: 'nor without a target', window: { answers: answers(10, 10) }, gives: undefined },
    ],
    ({ window, gives }) => assert.equal(isMissed(windowOf(window)), gives),
  )
})

void describe('a tally', () => {
  void test('counts missed windows of pods with a target, over all and by workload', () => {
    const late = { targetMillis: 50, answers: answers(100, 80), late: 100 }
    const fine = { targetMillis: 50, answers: answers(300, 10) }
    const result = resultOf([
      late,
      { ...fine, at: 10_000 },
      { ...fine, workload: 'api', podUid: 'api-0' },
      { workload: 'noise', podUid: 'noise-0', usedMicros: 5e6 },
    ])
    assert.equal(result.sloViolationRatio, 0.3333)
    assert.deepEqual(
      result.workloads.map(({ name, sloViolationRatio, targetMillis }) => [
        name,
        sloViolationRatio,
        targetMillis,
      ]),
      [
        ['api', 0, 50],
        ['noise', undefined, undefined],
        ['web', 0.5, 50],
      ],
    )
    assert.deepEqual(result.history.violating, [1, 0])
  })

  void test('p99 is over all answers of workloads with a target, and of no others', () => {
    const { p99Millis = 0 } = resultOf([
      { targetMillis: 50, answers: answers(970, 10) },
      { targetMillis: 50, answers: answers(30, 40), podUid: 'web-1' },
      { answers: answers(5000, 900), workload: 'batch' },
    ])
    assert.ok(Math.abs(p99Millis - 40) < 0.5, `${p99Millis}`)
  })

  void test('CPU is a mean over all the time, throttling one over all periods', () => {
    const result = resultOf(
      [
        { promisedCoreSeconds: 20, allowedCoreSeconds: 40, usedMicros: 5e6, periods: 100 },
        { at: 10_000, promisedCoreSeconds: 10, periods: 300, throttledPeriods: 100, changes: 2 },
        { at: 10_000, podUid: 'web-1', restarts: 1, changes: 1 },
      ],
      20,
    )
    assert.deepEqual(
      [result.promisedCores, result.allowedCores, result.usedCores, result.throttledRatio],
      [1.5, 2, 0.25, 0.25],
    )
    assert.deepEqual([result.changes, result.restarts], [3, 1])
    assert.deepEqual(result.history.promised, [2, 1])
  })

  void test('fairness is over what pods got of what they asked for, and more is not more', () => {
    const pod = (podUid: string, used: number) => ({
      podUid,
      usedMicros: used * 1e6,
      demandedMicros: 10e6,
    })
    assert.equal(resultOf([pod('a', 10), pod('b', 5)]).jain, 0.9)
    assert.equal(resultOf([pod('a', 10), pod('b', 12)]).jain, 1)
    assert.equal(resultOf([pod('a', 10), { podUid: 'idle' }]).jain, 1)
  })
})
