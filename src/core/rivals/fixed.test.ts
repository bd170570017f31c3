import assert from 'node:assert/strict'
import { test } from 'node:test'

import { millicores, millis } from '../units.ts'
import { fixed } from './fixed.ts'

void test('static limits stay whatever happens', () => {
  const state = fixed.start(millicores(200), millis(0))
  const sample = { at: millis(1000), seconds: 1, usageCores: 0.2, throttledPeriods: 10 }
  const { quota, request } = fixed.decide(state, sample)
  assert.deepEqual([quota, request], [200, 200])
})
