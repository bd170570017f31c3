import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { answer, digestOf, verdictOf } from '../../../../../test/oracles/resize/answers.ts'
import { recorded } from '../../../../../test/oracles/resize/questions.ts'

type Line = readonly [op: string, qos: string, digest: string, errors: readonly string[]]

void describe('sim/apiserver/kinds/pod', () => {
  void test('Kubernetes defaults, drops and refuses what ours does', () => {
    const lines = readFileSync('test/oracles/resize/cases.jsonl', 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    const questions = recorded()
    assert.equal(lines.length, questions.length)
    for (const [index, question] of questions.entries()) {
      const { qos, pod, errors } = verdictOf(answer(question))
      assert.deepEqual(
        [question.op, qos, digestOf(pod), errors],
        lines[index],
        `question ${index}: ${JSON.stringify(question)}`,
      )
    }
  })
})
