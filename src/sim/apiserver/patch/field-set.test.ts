import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import {
  difference,
  differenceBelow,
  type FieldSet,
  including,
  inOrder,
  intersection,
  membersOf,
  none,
  union,
} from './field-set.ts'

const element = fc.constantFrom('f:a', 'f:b', 'k:{"port":80}', 'k:{"port":443}', 'v:"x"', 'i:1')
const path = fc.array(element, { minLength: 1, maxLength: 3 })
const single = (elements: readonly string[]): FieldSet => {
  const [first = '', ...rest] = elements
  return { [first]: rest.length === 0 ? none : single(rest) }
}
const setOf = (paths: readonly (readonly string[])[]): FieldSet =>
  paths.map(single).reduce(union, none)
const sets = fc.array(path, { maxLength: 8 }).map(setOf)
const textsOf = (set: FieldSet): Set<string> =>
  new Set([...membersOf(set)].map((at) => at.join(' ')))

const laws = {
  union: [union, (inA: boolean, inB: boolean) => inA || inB],
  difference: [difference, (inA: boolean, inB: boolean) => inA && !inB],
  intersection: [intersection, (inA: boolean, inB: boolean) => inA && inB],
} as const

void describe('field sets', () => {
  for (const [name, [combine, keeps]] of Object.entries(laws)) {
    void test(`${name} is that of the sets of paths`, () => {
      fc.assert(
        fc.property(sets, sets, (a, b) => {
          const [inA, inB] = [textsOf(a), textsOf(b)]
          const wanted = [...new Set([...inA, ...inB])].filter((at) =>
            keeps(inA.has(at), inB.has(at)),
          )
          assert.deepEqual(textsOf(combine(a, b)), new Set(wanted))
        }),
      )
    })
  }

  void test('a result that equals the first operand is that operand', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const both = union(a, b)
        assert.equal(union(both, a), both)
        const less = difference(a, b)
        assert.equal(difference(less, b), less)
        assert.equal(intersection(a, a), a)
      }),
    )
  })

  void test('what is made has no member without need and is in order', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        for (const set of [union(a, b), difference(a, b), intersection(a, b)]) {
          assert.equal(JSON.stringify(set), JSON.stringify(inOrder(set)))
        }
      }),
    )
  })

  void test('keys are in the order of their values, fields come first', () => {
    const set = setOf([['v:"x"'], ['k:{"port":443}'], ['f:b'], ['k:{"port":80}'], ['f:a']])
    assert.deepEqual(Object.keys(set), ['f:a', 'f:b', 'k:{"port":80}', 'k:{"port":443}', 'v:"x"'])
  })

  void test('a difference below takes all that is below a member', () => {
    const set = setOf([['f:a'], ['f:a', 'f:b'], ['f:b']])
    assert.deepEqual(differenceBelow(set, setOf([['f:a']])), { 'f:b': {} })
    assert.deepEqual(differenceBelow(set, setOf([['f:a', 'f:b']])), { 'f:a': {}, 'f:b': {} })
  })

  void test('a pattern keeps what it leads to', () => {
    const set = setOf([['f:a', 'v:"x"', 'f:b'], ['f:a', 'v:"x"', 'f:a'], ['f:b']])
    const pattern = { 'f:a': { '*': { 'f:b': {} } } }
    assert.deepEqual(including(set, pattern), { 'f:a': { 'v:"x"': { 'f:b': {} } } })
  })
})
