import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import type { Json, JsonObject } from '../object.ts'
import { mergePatch } from './merge-patch.ts'

/** The examples of RFC 7386, appendix A, that have objects on both sides. */
const rows: readonly (readonly [object: JsonObject, patch: JsonObject, gives: JsonObject])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

void describe('mergePatch', () => {
  each(
    rows.map(([object, patch, gives]) => ({
      name: `${JSON.stringify(object)} with ${JSON.stringify(patch)}`,
      object,
      patch,
      gives,
    })),
    ({ object, patch, gives }) => assert.deepEqual(mergePatch(object, patch), gives),
  )

  void test('a patch that changes nothing gives the object itself', () => {
    const object: JsonObject = { a: { b: ['c'] }, d: 1 }
    assert.equal(mergePatch(object, { a: { b: ['c'], none: null } }), object)
  })

  each<{ name: string; patch: Json; type: string }>(
    [
      { name: 'a list is no patch', patch: [], type: 'array' },
      { name: 'a text is no patch', patch: 'a', type: 'string' },
    ],
    ({ patch, type }) =>
      assert.throws(() => mergePatch({}, patch), {
        code: 400,
        message: `error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
      }),
  )
})
