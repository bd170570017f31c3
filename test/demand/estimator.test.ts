import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { describeEstimator, estimatorCases, measureEstimator } from './estimator-table.ts'

const FAST_LOOP_SECONDS = 2

void describe('the estimate of demand, after a quota that was too small is lifted', () => {
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
    })
  }
})
