import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parsePgbenchLog } from './pgbench-log.ts'

void test('a line of pgbench is a request since the start, from when it was meant to come', () => {
  const text = '0 7 20500 0 1700000002 500000 300\n1 1 1000 0 1700000003 1000 0\n'
  assert.deepEqual(parsePgbenchLog(text, 1_700_000_000_000), [
    { atMillis: 2479.5, latencyMillis: 20.5 },
    { atMillis: 3000, latencyMillis: 1 },
  ])
})

void test('a line that pgbench could not have written is refused', () => {
  assert.throws(
    () => parsePgbenchLog('0 7 failed 0 17 5\n', 0),
    /expected six numbers or more, got/,
  )
})
