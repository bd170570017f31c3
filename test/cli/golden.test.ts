/** What the command line prints, to the letter; `node dist/test/cli/record.js` writes it anew. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'

import { goldenFolder, goldenPath } from './golden-files.ts'
import { allOutputs, goldenNames } from './outputs.ts'

void describe('outputs of the command line', () => {
  let outputs: ReadonlyMap<string, string>
  before(async () => {
    outputs = await allOutputs()
  })

  for (const name of goldenNames) {
    void test(`${name} is as recorded`, () => {
      assert.equal(outputs.get(name), readFileSync(goldenPath(name), 'utf8'))
    })
  }

  void test('nothing is left of an output that is gone', () => {
    assert.deepEqual(
      readdirSync(goldenFolder).toSorted(),
      goldenNames.map((name) => `${name}.txt`).toSorted(),
    )
  })

  for (const name of [
    'status',
    'status-namespace',
    'top-nodes',
    'explain-pod',
    'screen-nodes',
    'status-recommend',
  ]) {
    void test(`${name} fits into 80 columns`, () => {
      const long = (outputs.get(name) ?? '').split('\n').filter((line) => line.length > 80)
      assert.deepEqual(long, [])
    })
  }

  for (const [text, json] of [
    ['status', 'status-json'],
    ['explain-pod', 'explain-pod-json'],
  ] as const) {
    void test(`${text} has nothing to say that ${json} has not`, () => {
      const twin = outputs.get(json) ?? ''
      const amounts = (outputs.get(text) ?? '').match(/\b\d{3,}(?=m\b)/g) ?? []
      assert.ok(amounts.length > 5)
      for (const amount of amounts) assert.ok(twin.includes(amount), amount)
    })
  }

  void test('colour is only added', () => {
    const escape = '\u001B'
    const bare = (outputs.get('status-colour') ?? '').replaceAll(
      new RegExp(`${escape}\\[\\d+m`, 'g'),
      '',
    )
    assert.equal(bare, outputs.get('status'))
    assert.notEqual(outputs.get('status-colour'), outputs.get('status'))
  })
})
