import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'
import { parseDocument as parseByLibrary } from 'yaml'

import { each } from '../../test/each.ts'
import { parseYaml } from './bounded-yaml.ts'
import { parseDocument } from './document.ts'

const deep = 'expected at most 100 levels of nesting, got more'
const many = (count: number, one: (i: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, i) => one(i)).join(between)

void describe('a document that must not be read', () => {
  each(
    [
      { name: 'lists in lists, JSON', text: '['.repeat(200_000) + ']'.repeat(200_000), says: deep },
      { name: 'lists in lists that never end', text: '['.repeat(200_000), says: deep },
      {
        name: 'objects in objects, JSON',
        text: '{"a":'.repeat(101) + '1' + '}'.repeat(101),
        says: deep,
      },
      {
        name: 'mappings in brackets',
        text: `x: ${'{a: '.repeat(100)}1${'}'.repeat(100)}`,
        says: deep,
      },
      { name: 'dashes on one line', text: `${'- '.repeat(10_000)}a`, says: deep },
      { name: 'question marks on one line', text: `${'? '.repeat(10_000)}a`, says: deep },
      { name: 'both', text: `${'? - '.repeat(5000)}a`, says: deep },
      { name: 'keys in brackets', text: `${'{? '.repeat(5000)}a`, says: deep },
      { name: 'blocks in blocks', text: many(101, (i) => `${' '.repeat(i)}a:`), says: deep },
      {
        name: 'blocks in blocks, with what plain YAML has not',
        text: many(101, (i) => `${' '.repeat(i)}"a":`),
        says: deep,
      },
      {
        name: 'a key twice, JSON',
        text: '{"a":{"b":1,"b":2}}',
        says: 'expected each key once, got a.b twice',
      },
      {
        name: 'a key twice, YAML',
        text: 'a: 1\na: 2',
        says: 'Map keys must be unique at line 2, column 1:\n\na: 2\n^',
      },
      {
        name: 'a number and a text that are one key',
        text: '1: a\n"1": b',
        says: 'Map keys must be unique at line 2, column 1:\n\n"1": b\n^',
      },
      {
        name: 'a list as a key',
        text: '[a]: b',
        says: 'expected a text as key, got a list, a mapping or an alias at line 1, column 1:\n\n[a]: b\n^',
      },
      {
        name: 'more aliases than anybody writes',
        text: `a: &a 1\nb: [${many(1001, () => '*a', ',')}]`,
        says: 'expected at most 1000 aliases, got more',
      },
      {
        name: 'a billion laughs',
        text: `a: &a [x]\n${many(9, (i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${many(9, () => `*${'abcdefghi'[i]}`, ',')}]`)}`,
        says: 'Excessive alias count indicates a resource exhaustion attack',
      },
      {
        name: 'more tokens than can be read in seconds',
        text: many(60_000, () => '- {a: 1}'),
        says: 'expected at most 400000 tokens of YAML, got more; as JSON it may be larger',
      },
      {
        name: 'more text than can be read in seconds',
        text: `a: "${'\\n'.repeat(3 << 20)}"`,
        says: 'expected at most 4194304 characters of YAML, got 6291461; as JSON it may be larger',
      },
    ],
    ({ text, says }) =>
      assert.throws(() => parseDocument(text, 'x.yaml'), {
        name: 'InvalidInput',
        message: `reading x.yaml: ${says}`,
      }),
  )
})

void test('20,000 keys are read in time that grows with their number, not with its square', () => {
  // The library by itself compares each with each: 200 million comparisons.
  const text = many(20_000, (i) => `"k${i}": ${i}`)
  const value = parseDocument(text, 'x') as Record<string, number>
  assert.equal(Object.keys(value).length, 20_000)
  assert.equal(value['k19999'], 19_999)
})

void test('keys that every object has are ordinary keys', () => {
  for (const text of [
    '{"__proto__": {"a": 1}, "constructor": 2, "toString": 3}',
    '__proto__: {a: 1}\nconstructor: 2\ntoString: 3',
  ]) {
    const value = parseDocument(text, 'x') as object
    assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'toString'])
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
    assert.equal(({} as { a?: number }).a, undefined)
  }
})

void test('what is read within the bounds is read as the library reads it', () => {
  const keys = fc.constantFrom('a', 'b', '"c d"', "'e'", '1', 'null', '<<')
  const scalars = fc.constantFrom('x', '1', '"q"', '~', 'a b', '|\n   t\n   u', '&x y', '!!str 1')
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      scalars,
      fc.array(tie('tree'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      fc
        .array(fc.tuple(keys, tie('tree')), { maxLength: 3 })
        .map((entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(', ')}}`),
      fc
        .array(fc.tuple(keys, tie('tree')), { minLength: 1, maxLength: 3 })
        .map((entries) => entries.map(([key, value]) => `\n${key}: ${value}`).join('')),
    ),
  }))
  fc.assert(
    fc.property(tree, (text) => {
      const expected = parseByLibrary(text)
      if (expected.errors.length > 0 || expected.warnings.length > 0) {
        assert.throws(() => parseYaml(text))
      } else assert.deepEqual(parseYaml(text), expected.toJS())
    }),
  )
})
