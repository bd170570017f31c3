import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../../test/each.ts'
import type { Schema } from '../schema.ts'
import { growRules, runRules } from './rules.ts'

const schemaOf = (...rules: readonly string[]): Schema => ({
  type: 'object',
  properties: {
    items: { type: 'array', items: { type: 'integer' } },
    words: { type: 'array', items: { type: 'string' } },
    text: { type: 'string' },
  },
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
})

const items = Array.from({ length: 400 }, (_, i) => i)

function faultsOf(schema: Schema, value: object): readonly string[] {
  const tree = growRules(schema, false)
  assert.ok(tree)
  assert.deepEqual(tree.rules.map(({ ruleFault }) => ruleFault).filter(Boolean), [])
  return runRules(tree, structuredClone(value) as never).map(({ detail }) => detail ?? '')
}

const nested = (depth: number): string =>
  depth === 0 ? 'true' : `self.items.all(x${depth}, ${nested(depth - 1)})`

each(
  [
    { name: 'loops in loops', rule: nested(4) },
    {
      name: 'loops whose every step fails',
      rule: nested(4).replace('true', 'self.items[1000] == x1'),
    },
    {
      name: 'a comparison of long lists in a loop',
      rule: 'self.items.all(x, self.items.all(y, self.items == self.items))',
    },
    { name: 'one of each of a long list', rule: 'self.words.distinct().size() > 0' },
    { name: 'lists compared as sets', rule: 'sets.equivalent(self.words, self.words)' },
    {
      name: 'a text that replaces each of its letters',
      rule: "self.text.replace('a', self.text).size() > 0",
    },
  ],
  ({ rule }) => {
    const words = Array.from({ length: 5000 }, (_, i) => `word${i}`)
    const value = { items, words, text: 'a'.repeat(10_000) }
    assert.deepEqual(faultsOf(schemaOf(rule, 'true', 'false'), value), [
      `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`,
    ])
  },
)

void test('all rules of an object together have a budget of their own', () => {
  const rule = 'self.items.all(x, self.items.all(y, x + y >= 0))'
  const details = faultsOf(schemaOf(...Array.from({ length: 40 }, () => rule)), {
    items: items.slice(0, 250),
  })
  assert.deepEqual(details, [
    'validation failed due to running out of cost budget, no further validation rules will be run',
  ])
})

void test('a large object is held to an ordinary rule', () => {
  const many = Array.from({ length: 50_000 }, (_, i) => i)
  const schema = schemaOf(
    'self.items.all(x, x >= 0 && self.items.size() > 3)',
    'self.items.exists(x, x == 7)',
  )
  assert.deepEqual(faultsOf(schema, { items: many }), [])
})
