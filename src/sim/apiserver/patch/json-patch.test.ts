import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import type { Json, JsonObject } from '../object.ts'
import { Refusal } from '../refusal.ts'
import { jsonPatch } from './json-patch.ts'

const object: JsonObject = { data: { a: '1', 'b/c': '2' }, list: ['x', 'y'] }

void describe('jsonPatch', () => {
  each<{ name: string; patch: Json; gives: Json }>(
    [
      {
        name: 'add sets a field',
        patch: [{ op: 'add', path: '/data/z', value: 1 }],
        gives: { ...object, data: { a: '1', 'b/c': '2', z: 1 } },
      },
      {
        name: 'add inserts before an item',
        patch: [{ op: 'add', path: '/list/1', value: 'n' }],
        gives: { ...object, list: ['x', 'n', 'y'] },
      },
      {
        name: 'add with - appends',
        patch: [{ op: 'add', path: '/list/-', value: 'n' }],
        gives: { ...object, list: ['x', 'y', 'n'] },
      },
      {
        name: 'replace takes an item by its index from the end',
        patch: [{ op: 'replace', path: '/list/-1', value: 'n' }],
        gives: { ...object, list: ['x', 'n'] },
      },
      {
        name: 'replace may add a field',
        patch: [{ op: 'replace', path: '/new', value: 1 }],
        gives: { ...object, new: 1 },
      },
      {
        name: 'remove takes out a field whose name has a slash',
        patch: [{ op: 'remove', path: '/data/b~1c' }],
        gives: { ...object, data: { a: '1' } },
      },
      {
        name: 'move',
        patch: [{ op: 'move', from: '/data/a', path: '/list/0' }],
        gives: { data: { 'b/c': '2' }, list: ['1', 'x', 'y'] },
      },
      {
        name: 'copy',
        patch: [{ op: 'copy', from: '/list/0', path: '/data/a' }],
        gives: { ...object, data: { a: 'x', 'b/c': '2' } },
      },
      {
        name: 'a test that holds changes nothing',
        patch: [{ op: 'test', path: '/list', value: ['x', 'y'] }],
        gives: object,
      },
      {
        name: 'the test of a field that is not there holds for null',
        patch: [{ op: 'test', path: '/none', value: null }],
        gives: object,
      },
      {
        name: 'replace of the whole',
        patch: [{ op: 'replace', path: '', value: { a: 1 } }],
        gives: { a: 1 },
      },
    ],
    ({ patch, gives }) => assert.deepEqual(jsonPatch(object, patch), gives),
  )

  each<{ name: string; patch: Json }>(
    [
      { name: 'a test that fails', patch: [{ op: 'test', path: '/data/a', value: '2' }] },
      { name: 'removing what is not there', patch: [{ op: 'remove', path: '/data/z' }] },
      { name: 'adding below what is not there', patch: [{ op: 'add', path: '/none/a', value: 1 }] },
      { name: 'an index beyond the list', patch: [{ op: 'add', path: '/list/3', value: 1 }] },
      { name: 'moving what is not there', patch: [{ op: 'move', from: '/z', path: '/y' }] },
      { name: 'an operation that does not exist', patch: [{ op: 'zap', path: '/data/a' }] },
      { name: 'an operation without a path', patch: [{ op: 'remove' }] },
      { name: 'a result that is no object', patch: [{ op: 'replace', path: '', value: 3 }] },
    ],
    ({ patch }) =>
      assert.throws(() => jsonPatch(object, patch), {
        code: 422,
        reason: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
      }),
  )

  each<{ name: string; patch: Json; said: string }>(
    [
      {
        name: 'a patch that is no list',
        patch: { a: 1 },
        said: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      },
      {
        name: 'an operation that is no object',
        patch: ['x'],
        said: 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp',
      },
      {
        name: 'a path that is no text',
        patch: [{ op: 'add', path: 3 }],
        said: 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
      },
    ],
    ({ patch, said }) =>
      assert.throws(() => jsonPatch(object, patch), {
        code: 400,
        reason: 'BadRequest',
        message: said,
      }),
  )

  void test('what is not patched stays the same object', () => {
    const patched = jsonPatch(object, [{ op: 'add', path: '/data/z', value: 1 }])
    assert.equal(patched['list'], object['list'])
    assert.throws(() => jsonPatch(object, []) && jsonPatch(object, null), Refusal)
  })
})

void test('copies of copies are refused when they come to more than 3 MiB, as by the real server', () => {
  const doubling = Array.from({ length: 60 }, (_, i) => ({
    op: 'copy',
    from: '/data',
    path: `/data/copy${i}`,
  }))
  assert.throws(() => jsonPatch({ data: { a: 'x' } }, doubling), { code: 422 })
  const copied = jsonPatch({ data: { a: 'x' } }, doubling.slice(0, 3))
  assert.equal(JSON.stringify(copied).match(/"a":"x"/g)?.length, 8)
})

void test('what is copied does not change with what it was copied from', () => {
  const operations = [
    { op: 'add', path: '/a/b', value: 1 },
    { op: 'copy', from: '/a', path: '/c' },
    { op: 'add', path: '/a/b', value: 2 },
  ]
  const live = { a: { b: 0 } }
  assert.deepEqual(jsonPatch(live, operations), { a: { b: 2 }, c: { b: 1 } })
  assert.deepEqual(live, { a: { b: 0 } })
})

void test('ten thousand operations on an object with as many keys copy it once', () => {
  const keys = Array.from({ length: 10_000 }, (_, i) => `key${i}`)
  const data = Object.fromEntries(keys.map((key) => [key, 'x']))
  const operations = keys.map((key) => ({ op: 'replace', path: `/data/${key}`, value: 'y' }))
  const patched = jsonPatch({ data }, operations)
  assert.equal(
    Object.values(patched['data'] as object).every((value) => value === 'y'),
    true,
  )
})
