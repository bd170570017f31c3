import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import fc from 'fast-check'
import { parseDocument } from 'yaml'

import { each } from '../../test/each.ts'
import { parsePlainYaml } from './plain-yaml.ts'

each(
  [
    {
      name: 'as kubectl writes a kubeconfig: lists below their keys, not indented',
      text: 'clusters:\n- cluster:\n    server: https://host:6443\n  name: a\ncurrent-context: a\npreferences: {}\n',
      value: {
        clusters: [{ cluster: { server: 'https://host:6443' }, name: 'a' }],
        'current-context': 'a',
        preferences: {},
      },
    },
    {
      name: 'as we write one: lists indented, a comment first',
      text: '# ours\nusers:\n  - name: admin\n    user:\n      token: 31ada4fd-adec-460c\n',
      value: { users: [{ name: 'admin', user: { token: '31ada4fd-adec-460c' } }] },
    },
    {
      name: 'the arguments of a program, which begin with dashes',
      text: 'args:\n- --region\n- eu-central-1\n- -c\nenv: null\nenv2:\n',
      value: { args: ['--region', 'eu-central-1', '-c'], env: null, env2: null },
    },
    {
      name: 'texts in quotes, numbers and truths',
      text: 'a: "x: y # z"\nb: \'\'\nc: 12 # a dozen\nd: true\ne: -3\nf: two words',
      value: { a: 'x: y # z', b: '', c: 12, d: true, e: -3, f: 'two words' },
    },
  ],
  ({ text, value }) => assert.deepEqual(parsePlainYaml(text), value),
)

void test('reads the examples of configuration, so that an agent need not load the library', () => {
  for (const name of ['agent.yaml', 'controller.yaml', 'host.yaml']) {
    const text = readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8')
    assert.deepEqual(parsePlainYaml(text), parseDocument(text).toJS(), name)
  }
})

/** What is ours, what is nearly ours, and what YAML has beside it. */
const pieces = `
a:|b:|c: d|e: 1|- a|- a: b|- b:|# c||a: "b" # c|- 'x'|- []|- {}
a|-|- - a|a: b: c|a: b:|a:b|a : b|"a": b|? a|a: "b|a: 'b''c'
a: >-|a: &x b|a: *x|a: !!str 1|a: {b: 1}|a: [1]|a: "\\n"|a:\tb
a: b #c|a: b#c|a: #b|a: @b|a: -|a: - b|- -|- ---|- a:b|a: ,
---|...|%YAML 1.1|<<: *x|null: a|TRUE: a|__proto__: a|1: a|~: a
a: ~|a: Null|a: yes|a: 0x1F|a: 0o7|a: 007|a: 1e3|a: .5|a: -.inf|a: 1_000|a: +1|a: -0|a: 1.0
a: 12345678901234567|a: 2024-01-01`
  .split(/[\n|]/)
  .concat('a: |')
const line = fc
  .tuple(fc.constantFrom('', '', '', '  ', '  ', '    ', ' ', '   '), fc.constantFrom(...pieces))
  .map(([indent, piece]) => indent + piece)
const document = fc.oneof(
  fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n')),
  fc
    .tuple(fc.constantFrom('a: ', '- ', 'a:\n- ', '- a: '), fc.string())
    .map((parts) => parts.join('')),
)

void test('what it reads, the library reads in the same way and without a complaint', () => {
  let read = 0
  fc.assert(
    fc.property(document, (text) => {
      const value = parsePlainYaml(text)
      if (value === undefined) return
      read += 1
      const expected = parseDocument(text)
      assert.deepEqual([...expected.errors, ...expected.warnings], [])
      assert.deepEqual(value, expected.toJS())
    }),
    { numRuns: 5000 },
  )
  assert.ok(read > 500, `only ${read} of 5000 documents are plain: the law says little`)
})
