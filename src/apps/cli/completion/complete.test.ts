import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { buildProgram } from '../../main.ts'
import { answerOf, completeWords } from './complete.ts'

const program = buildProgram()

/** As a person types it, with the cursor at the end. */
const completionOf = (line: string) => completeWords(program, line.split(' ')).completion

function wordsOf(line: string): string[] {
  const completion = completionOf(line)
  assert.equal(completion.kind, 'words')
  return completion.kind === 'words' ? completion.candidates.map(({ word }) => word) : []
}

void describe('completion of words', () => {
  each(
    [
      { name: 'a command', line: 'sta', gives: ['status'] },
      {
        name: 'commands of a command',
        line: 'explain ',
        gives: ['pod', 'node', 'allocation', 'reason', 'help'],
      },
      { name: 'a flag', line: 'status --out', gives: ['--output'] },
      {
        name: 'choices of a flag',
        line: 'status -o ',
        gives: ['table', 'wide', 'json', 'yaml', 'name'],
      },
      { name: 'choices of a flag with =', line: 'status --output=j', gives: ['--output=json'] },
      { name: 'the same taken apart by bash', line: 'status --output = j', gives: ['json'] },
      { name: 'choices of an argument', line: 'completion ', gives: ['bash', 'zsh', 'fish'] },
      { name: 'after a flag with a value', line: 'top -n shop p', gives: ['pods'] },
      { name: 'nothing after the last argument', line: 'completion bash ', gives: [] },
      { name: 'nothing for what is not known', line: 'nonsense ', gives: [] },
      { name: 'what is hidden stays so', line: '__', gives: [] },
    ],
    ({ line, gives }) => assert.deepEqual(wordsOf(line), gives),
  )

  void test('every command can be completed', () => {
    const names = program.commands
      .map((command) => command.name())
      .filter((name) => name !== '__complete')
    assert.deepEqual(
      wordsOf('').filter((name) => name !== 'help'),
      names,
    )
  })

  void test('descriptions come with the words', () => {
    const completion = completionOf('stat')
    assert.ok(completion.kind === 'words')
    assert.match(answerOf(completion.candidates), /^status\tIs anyone suffering.*\n:4\n$/)
  })
})

void describe('completion of what the program does not know', () => {
  each(
    [
      { name: 'files of a flag', line: 'market clear -f ', is: { kind: 'files' } },
      { name: 'files with =', line: 'status --kubeconfig=/etc/', is: { kind: 'files' } },
      { name: 'pods', line: 'explain pod we', is: { kind: 'names', of: 'pod', prefix: 'we' } },
      {
        name: 'pods by an alias',
        line: 'explain pods we',
        is: { kind: 'names', of: 'pod', prefix: 'we' },
      },
      { name: 'namespaces', line: 'top -n ', is: { kind: 'names', of: 'namespace', prefix: '' } },
      {
        name: 'contexts',
        line: 'status --context k',
        is: { kind: 'names', of: 'context', prefix: 'k' },
      },
    ],
    ({ line, is }) => assert.deepEqual(completionOf(line), is),
  )

  void test('the flags so far say whom to ask', () => {
    const { flags } = completeWords(program, ['explain', 'pod', '--context=kind', '-n', 'shop', ''])
    assert.deepEqual(flags, { context: 'kind', namespace: 'shop' })
  })
})
