import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import { answer, verdictOf } from '../../../test/oracles/cpu/answers.ts'
import { keptFile, type Question, recorded } from '../../../test/oracles/cpu/questions.ts'

const linesOf = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

void describe('core/cpu', () => {
  void test('a kubelet answers questions about CPUs, memory and NUMA nodes as ours does', () => {
    const answers = linesOf<object>('test/oracles/cpu/cases.jsonl')
    const questions = recorded()
    assert.equal(answers.length, questions.length)
    for (const [i, question] of questions.entries()) {
      assert.deepEqual(verdictOf(answer(question)), answers[i], JSON.stringify(question))
    }
  })

  void test('what a kubelet once answered otherwise, ours answers as it does', () => {
    for (const [question, theirs] of linesOf<[Question, object]>(keptFile)) {
      assert.deepEqual(verdictOf(answer(question)), theirs, JSON.stringify(question))
    }
  })
})
