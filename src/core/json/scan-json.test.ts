import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { scanJson } from './scan-json.ts'

void describe('a look over JSON', () => {
  each(
    [
      { name: 'a key twice', text: '{"a":1,"a":2}', twice: 'a' },
      { name: 'deep within', text: '[0,{"b":[1,{"c":{},"c":[]}]}]', twice: '[1].b[1].c' },
      { name: 'written in two ways', text: '{"a":1,"\\u0061":2}', twice: 'a' },
      { name: 'a key of every object', text: '{"__proto__":1,"__proto__":2}', twice: '__proto__' },
      { name: 'a key with a quote', text: String.raw`{"a\"b":1,"a\"b":2}`, twice: 'a"b' },
      { name: 'the same key in two objects', text: '[{"a":1},{"a":1}]' },
      { name: 'the same text as key and value', text: '{"a":"a","b":["a","a"]}' },
      { name: 'signs within texts', text: String.raw`{"a":"{\"b\":1,\"b\"","c":"[[[\\"}` },
    ],
    ({ text, twice }) => assert.equal(scanJson(text).twice, twice),
  )

  each(
    [
      { name: 'as deep as may be', text: '[[1]]', beyond: undefined },
      {
        name: 'one level deeper',
        text: '[[[1]]]',
        beyond: 'expected at most 2 levels of nesting, got more',
      },
      {
        name: 'more values than may be',
        text: '[1,2,3,4,5]',
        beyond: 'expected at most 5 values, got more',
      },
      {
        name: 'a text that breaks off',
        text: '[[[',
        beyond: 'expected at most 2 levels of nesting, got more',
      },
    ],
    ({ text, beyond }) => assert.equal(scanJson(text, { depth: 2, values: 5 }).beyond, beyond),
  )

  void test('finds nothing in what was written from a value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        assert.deepEqual(scanJson(JSON.stringify(value, null, 1)), {})
      }),
    )
  })

  void test('ends on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"\\a1 '.split('')) }), (text) => {
        scanJson(text)
      }),
    )
  })
})
