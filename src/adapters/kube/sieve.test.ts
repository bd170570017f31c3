import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { keepIn } from '../../../test/keep-in.ts'
import { atMost, type Keep, mostKeptBytes, only, short, whole } from '../../apis/keep.ts'
import type { KubeObject } from '../../apis/object.ts'
import { podKeep } from '../../apis/pod.ts'
import { objectNodeOf } from './sieve-nodes.ts'
import { Sieve } from './sieve.ts'

type Read = { readonly keep: Keep; readonly most?: number; readonly cuts?: readonly number[] }

function read(text: string, { keep, most = 1_000_000, cuts = [] }: Read): KubeObject[] {
  const objects: KubeObject[] = []
  const onObject = (object: KubeObject) => void objects.push(object)
  const sieve = new Sieve({ root: objectNodeOf(keep), most, onObject })
  const bytes = Buffer.from(text)
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
  let start = 0
  for (const end of [...at, bytes.length]) {
    sieve.write(bytes.subarray(start, end))
    start = end
  }
  assert.ok(sieve.isAtEnd)
  return objects
}

const everyCut = (text: string): number[] =>
  Array.from({ length: Buffer.byteLength(text) }, (_, i) => i)

const keep = {
  metadata: {
    name: 512,
    namespace: 512,
    uid: 512,
    resourceVersion: 512,
    annotations: { 'x/*': short, y: short },
  },
  spec: {
    list: { a: short },
    some: { a: short, [only]: ({ a }: { a?: unknown }) => a === 1, [atMost]: 2 },
    word: 8,
    all: whole,
    empty: {},
  },
} as const satisfies Keep

void describe('the sieve of objects', () => {
  each(
    [
      { name: 'nothing kept', json: { other: { deep: [1, { a: 'b' }] } }, gives: {} },
      {
        name: 'members of lists',
        json: { spec: { list: [{ a: 1, b: 2 }, { b: [] }] } },
        gives: { spec: { list: [{ a: 1 }, {}] } },
      },
      {
        name: 'lists in lists',
        json: { spec: { list: [[{ a: 1 }], []] } },
        gives: { spec: { list: [[{ a: 1 }], []] } },
      },
      {
        name: 'members of a list that are wanted, the first of them',
        json: {
          spec: { some: [{}, { a: 1 }, { a: 'x' }, { a: 2 }, { a: 1, b: 1 }, { a: 1 }], word: 1 },
        },
        gives: { spec: { some: [{ a: 1 }, { a: 1 }], word: 1 } },
      },
      {
        name: 'none of them',
        json: { spec: { some: [{ a: 2 }, { b: 1 }] } },
        gives: { spec: { some: [] } },
      },
      {
        name: 'names by their beginning',
        json: { metadata: { annotations: { 'x/1': 'a', 'z/1': 'b', y: 'c' } } },
        gives: { metadata: { annotations: { 'x/1': 'a', y: 'c' } } },
      },
      {
        name: 'texts with quotes and backslashes',
        json: { spec: { word: '"\\"', junk: '\\\\"' } },
        gives: { spec: { word: '"\\"' } },
      },
      {
        name: 'a short text with both',
        json: { spec: { word: '"\\' } },
        gives: { spec: { word: '"\\' } },
      },
      {
        name: 'a whole part',
        json: { spec: { all: { 'é"': ['}', null, 1.5e3] } } },
        gives: { spec: { all: { 'é"': ['}', null, 1.5e3] } } },
      },
      {
        name: 'what is of another kind than expected',
        json: { metadata: 'a', spec: { word: {}, list: 'b', empty: 'c' } },
        gives: { spec: {} },
      },
      {
        name: 'null where a list is expected',
        json: { spec: { list: null, word: null } },
        gives: { spec: { word: null } },
      },
    ],
    ({ json, gives }) => {
      const text = JSON.stringify(json)
      assert.deepEqual(read(text, { keep }), [gives])
      assert.deepEqual(
        read(` ${JSON.stringify(json, null, 2)}\n`, { keep, cuts: everyCut(text) }),
        [gives],
      )
      assert.deepEqual(read(text, { keep, cuts: everyCut(text) }), [gives])
    },
  )

  void test('law: it keeps of any text, in any pieces, what would be kept of the object', () => {
    const names = fc.constantFrom(
      'metadata',
      'spec',
      'list',
      'some',
      'a',
      'word',
      'all',
      'empty',
      'annotations',
      'x/1',
      'y',
      'q"\\',
    )
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\\"{}[\],:x]{0,12}$/))
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.constant(1),
        fc.constantFrom(null, true, 1.5e-7),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 6 }),
      ),
    }))
    const part = fc.dictionary(names, tree)
    const object = fc.record({ metadata: part, spec: part, more: tree })
    const property = fc.property(
      fc.array(object, { maxLength: 3 }),
      fc.array(fc.nat(), { maxLength: 40 }),
      fc.boolean(),
      (objects, cuts, isSpaced) => {
        const sent = objects.map((one) => JSON.stringify(one, null, isSpaced ? 1 : 0)).join('\n')
        const kept = objects.map((one) => keepIn(JSON.parse(JSON.stringify(one)), keep))
        assert.deepEqual(read(sent, { keep, cuts }), kept)
      },
    )
    fc.assert(property, { numRuns: 2000 })
  })

  void test('an object with too much of what is needed has its name, wherever that stands', () => {
    const containers = Array.from({ length: 300 }, (_, i) => ({ name: `c${i}` }))
    const metadata = { name: 'huge', namespace: 'default', uid: 'u', resourceVersion: '7' }
    const unread = 'more than 1000 bytes of it are needed'
    for (const pod of [
      { metadata, spec: { containers } },
      { spec: { containers }, metadata },
    ]) {
      const text = JSON.stringify(pod)
      for (const cuts of [[], everyCut(text)]) {
        assert.deepEqual(read(text + text, { keep: podKeep, most: 1000, cuts }), [
          { metadata, unread },
          { metadata, unread },
        ])
      }
    }
  })

  void test('of a pod that is too large its phase is known, before or after the rest', () => {
    const [metadata, spec] = [{ name: 'huge' }, { containers: [{ name: 'c'.repeat(40) }] }]
    const status = { phase: 'Failed', qosClass: 'Burstable' }
    for (const pod of [
      { metadata, spec, status },
      { status, metadata, spec },
    ]) {
      const [kept] = read(JSON.stringify(pod), { keep: podKeep, most: 60 })
      assert.deepEqual(kept, {
        metadata,
        status: { phase: 'Failed' },
        unread: 'more than 60 bytes of it are needed',
      })
    }
  })

  void test('no number of writers, owners and conditions makes a pod too large', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `m${i}-${'x'.repeat(110)}`)
    const metadata = {
      name: 'crowded',
      managedFields: many.map((manager) => ({
        manager,
        operation: 'Apply',
        fieldsV1: { 'f:metadata': { 'f:labels': { 'f:a': {} } } },
      })),
      ownerReferences: many.map((name, i) => ({ name, uid: name, controller: i === 4999 })),
    }
    const conditions = [...many, 'Ready'].map((type) => ({ type, status: 'True', message: type }))
    const text = JSON.stringify({ metadata, status: { conditions } })
    const [last = ''] = many.slice(-1)
    assert.deepEqual(read(text, { keep: podKeep, most: mostKeptBytes }), [
      {
        metadata: {
          name: 'crowded',
          managedFields: [],
          ownerReferences: [{ name: last, uid: last, controller: true }],
        },
        status: { conditions: [{ type: 'Ready', status: 'True', message: 'Ready' }] },
      },
    ])
  })

  void test('of names by their beginning the first sixteen count, and others as ever', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`mbcas.io/a${i}`, 'x']))
    const annotations = { ...many, 'mbcas.io/min-cpu': '1', ['mbcas.io/'.padEnd(5000, 'y')]: 'z' }
    const [kept] = read(JSON.stringify({ metadata: { annotations } }), { keep: podKeep })
    assert.equal(Object.keys(kept?.metadata.annotations ?? {}).length, 17)
    assert.equal(kept?.metadata.annotations?.['mbcas.io/min-cpu'], '1')
  })

  each(
    ['{"a":}', '[1', '<html>', '{"a":1]', '}', '{"spec":{"word":tru}}', '['.repeat(100)].map(
      (text) => ({ name: text.slice(0, 20), text }),
    ),
    ({ text }) => assert.throws(() => read(text, { keep })),
  )
})
