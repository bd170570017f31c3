import assert from 'node:assert/strict'
import { test } from 'node:test'

import { percentile } from '../../src/core/rivals/histogram.ts'
import { needBySecond, recallFrom } from './past.ts'

void test('what is needed in a second is what arrives in it', () => {
  const requests = [
    { atMicros: 0, cpuMicros: 250_000 },
    { atMicros: 999_999, cpuMicros: 250_000 },
    { atMicros: 2_500_000, cpuMicros: 100_000 },
  ]
  assert.deepEqual(needBySecond(requests, 3), [0.5, 0, 0.1])
})

void test('the past knows seconds for people, and minutes for VPA', () => {
  const seconds = Array.from({ length: 120 }, (_, i) => (i < 60 ? 0.1 : i === 119 ? 2.1 : 0.3))
  const { median, p99, history } = recallFrom(seconds)
  assert.deepEqual([median, p99, history.samples], [300, 300, 2])
  const highest = percentile(history.histogram, 0.9)
  assert.ok(highest >= 0.33 && highest < 0.36, `${highest}`)
})
