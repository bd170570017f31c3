import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { loadGrammar } from './load-grammar.ts'
import { parseWrittenLoad } from './load.ts'

/** The fields of which the parser says that it knows them. */
function knownTo(example: string): string[] {
  try {
    parseWrittenLoad(`${example} zzzzzzzz=1`)
  } catch (error) {
    const [, names = ''] = /expected for \w+ ([\w, ]+?), got/.exec((error as Error).message) ?? []
    return names.split(', ')
  }
  return []
}

void describe('the grammar of loads', () => {
  for (const [kind, { examples, fields }] of Object.entries(loadGrammar)) {
    void test(`${kind}: its examples are loads of that kind`, () => {
      for (const example of examples) assert.equal(parseWrittenLoad(example).kind, kind)
    })

    void test(`${kind}: tells of every field that the parser takes, and of no other`, () => {
      const known = new Set(examples.flatMap(knownTo))
      assert.deepEqual([...known].toSorted(), Object.keys(fields).toSorted())
    })
  }
})
