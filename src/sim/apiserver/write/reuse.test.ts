import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { reuse } from './reuse.ts'

const value = fc.jsonValue({ maxDepth: 4 })

void test('the result is equal to what was wanted', () => {
  fc.assert(
    fc.property(value, value, (next, old) => {
      assert.deepEqual(reuse(next, old), next)
    }),
  )
})

void test('an equal value is the old one itself', () => {
  fc.assert(
    fc.property(value, (old) => {
      assert.ok(Object.is(reuse(structuredClone(old), old), old))
    }),
  )
})

void test('parts that did not change are the old ones', () => {
  const old = { spec: { a: [1, { b: 2 }] }, status: { ready: false } }
  const next = reuse({ spec: { a: [1, { b: 2 }] }, status: { ready: true } }, old)
  assert.equal(next.spec, old.spec)
  assert.notEqual(next.status, old.status)
})

void test('a field that is undefined counts as absent', () => {
  const old = { a: 1 }
  assert.equal(reuse({ a: 1, b: undefined }, old), old)
})
