import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { latencyBucketCount, latencyBucketOf, latencyQuantile } from './latency-histogram.ts'

const count = (...tookMillis: readonly number[]): Float64Array => {
  const counts = new Float64Array(latencyBucketCount)
  for (const took of tookMillis) {
    const bucket = latencyBucketOf(took * 1000)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

const times = (amount: number, took: number): number[] => Array.from({ length: amount }, () => took)

void describe('latency histogram', () => {
  each(
    [
      { name: 'one value is all quantiles', of: times(100, 10), p50: 10, p99: 10 },
      { name: 'one in a hundred is beyond p99', of: [...times(99, 10), 100], p50: 10, p99: 10 },
      { name: 'two are not', of: [...times(98, 10), 100, 100], p50: 10, p99: 100 },
      { name: 'hours are in the last bucket', of: [4e6, 9e6], p50: 3.6e6, p99: 3.6e6 },
    ],
    ({ of, p50, p99 }) => {
      const near = (ratio: number, wanted: number) => {
        const got = latencyQuantile(count(...of), ratio) ?? NaN
        assert.ok(Math.abs(got / wanted - 1) < 0.03, `${got}`)
      }
      near(0.5, p50)
      near(0.99, p99)
    },
  )

  void test('without answers there is no quantile', () => {
    assert.equal(latencyQuantile(count(), 0.99), undefined)
  })

  void test('a value is off by 1 % at most, from 0.1 ms to an hour', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 3.6e6, noNaN: true }), (took) => {
        const got = latencyQuantile(count(took), 0.99) ?? NaN
        assert.ok(Math.abs(got / took - 1) < 0.0101, `${got}`)
      }),
    )
  })
})
