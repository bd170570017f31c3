/** Random writes by several managers, with the real server's results: see test/oracles/apply. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { replay, type Sequence } from '../../../../test/oracles/apply/replay.ts'

const sequences = readFileSync('test/oracles/apply/sequences.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Sequence)

void describe('writes as the real server does them', () => {
  for (const [index, sequence] of sequences.entries()) {
    void test(`sequence ${index + 1}: ${sequence.kind}`, () => {
      for (const { step, ours, theirs } of replay(sequence)) {
        assert.deepEqual(ours, theirs, `${index + 1}: ${JSON.stringify(step)}`)
      }
    })
  }
})
