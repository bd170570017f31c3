/** The model against what a real kernel did with the same work: see test/oracles/cfs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import { compare, summarise } from './compare.ts'
import { readRecorded } from './recorded.ts'

/** What the model must stay within, of any setting and on average; see the README for what it reached. */
const bar = { usage: 0.07, throttled: 0.05, mean: 0.015, latency: 0.05 }

void describe('the model beside the recorded kernel', () => {
  const rows = readRecorded().flatMap(compare)
  each(rows, ({ real, model, usageError, throttledError, latencyError = 0 }) => {
    const told = `real ${JSON.stringify(real)}, model ${JSON.stringify(model)}`
    assert.ok(Math.abs(usageError) <= bar.usage, `usage: ${told}`)
    assert.ok(Math.abs(throttledError) <= bar.throttled, `throttled: ${told}`)
    assert.ok(Math.abs(model.periods - real.periods) <= 2, `periods: ${told}`)
    assert.ok(Math.abs(model.throttledPeriods - real.throttledPeriods) <= 2, `throttled: ${told}`)
    assert.ok(Math.abs(model.bursts - real.bursts) <= 2, `bursts: ${told}`)
    assert.ok(latencyError <= bar.latency, `latency: ${told}`)
  })

  void test('on average it is closer still', () => {
    assert.ok(summarise(rows.map(({ usageError }) => usageError)).mean <= bar.mean)
    assert.ok(summarise(rows.map(({ throttledError }) => throttledError)).mean <= bar.mean)
  })
})
