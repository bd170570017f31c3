import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { percentile } from '../../../src/core/rivals/histogram.ts'
import { recommend } from '../../../src/core/rivals/vpa.ts'
import { checkpointOf, historyOf } from './checkpoint.ts'

const nowMillis = Date.UTC(2026, 10, 19)
const day = 24 * 3600 * 1000

type Status = {
  readonly firstSampleStart: string
  readonly totalSamplesCount: number
  readonly cpuHistogram: {
    readonly bucketWeights: Readonly<Record<string, number>>
    readonly totalWeight: number
  }
}

void describe('what VPA is given as its history', () => {
  // Of 15 minutes 5 at 0.75 core, as many at 0.4, and 5 that hardly count.
  const windows = [0.05, 0.05, 0.4, 0.4, 0.4, 0.4, 0.4, 0.75, 0.75, 0.75, 0.75, 0.75, 0.1, 0.1, 0.1]
  const history = historyOf(windows, nowMillis)
  const checkpoint = checkpointOf(history, {
    namespace: 'default',
    workload: 'worker-a',
    nowMillis,
  }) as { readonly status: Status }
  const { firstSampleStart, totalSamplesCount, cpuHistogram } = checkpoint.status

  void test('is eight days of minutes', () => {
    assert.equal(totalSamplesCount, 8 * 24 * 60)
    assert.equal(Date.parse(firstSampleStart), nowMillis - 8 * day)
  })

  void test('has the shape of what was used', () => {
    const { bucketWeights, totalWeight } = cpuHistogram
    const buckets = Object.values(bucketWeights)
    assert.equal(Math.max(...buckets), 10_000)
    assert.equal(buckets.length, 4)
    const sum = buckets.reduce((all, weight) => all + weight, 0)
    const weights = history.histogram.weights.map(
      (_, i) => ((bucketWeights[i] ?? 0) / sum) * totalWeight,
    )
    const read = { ...history.histogram, weights, total: totalWeight }
    for (const ratio of [0.5, 0.9, 0.95])
      assert.equal(percentile(read, ratio), percentile(history.histogram, ratio))
  })

  void test('so that its target covers the contention with 15 % to spare', () => {
    const { lower, target, upper } = recommend(history)
    assert.ok(target > 750 * 1.15 && target < 750 * 1.05 * 1.15 + 10, `${target}`)
    assert.ok(lower < target && target < upper)
  })
})
