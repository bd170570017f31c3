import assert from 'node:assert/strict'
import { test } from 'node:test'

import { rawLines } from './raw-lines.ts'

void test('raw figures are a line per run, rounded, after the settings and the machine', () => {
  const runs = [
    { arm: 'alone', p99: 12.345678, groups: [{ used: 0.6 }] },
    { arm: 'MBCAS', p99: 20, groups: [] },
  ]
  const [settings, ...lines] = rawLines({ seed: 3 }, runs).trimEnd().split('\n')
  assert.match(settings ?? '', /"kernel":".*"cpus":\d+.*"seed":3/)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    [{ ...runs[0], p99: 12.346 }, runs[1]],
  )
})
