import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { alive, parseStat } from './processes.ts'

void describe('test/kubernetes/processes', () => {
  void test('a process is known by pid and start time, whatever its name', () => {
    const numbers = Array.from({ length: 40 }, (_, i) => i + 4).join(' ') // field 22 reads 22
    const { pid, started, dead } = parseStat(`77 (a) S (b c) S ${numbers}`)
    assert.deepEqual({ pid, started, dead }, { pid: 77, started: 22, dead: false })
    assert.ok(parseStat(`77 (a) Z ${numbers}`).dead)
  })

  void test('another process under the same pid is not it', () => {
    assert.equal(alive({ pid: process.pid, started: 1 }), false)
  })
})
