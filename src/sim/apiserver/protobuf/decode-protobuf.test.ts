import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../../test/each.ts'
import { recorded } from '../../../../test/sim/recorded-protobuf.ts'
import { decode } from '../decode/decode.ts'
import { setDefaults } from '../decode/set-defaults.ts'
import type { JsonObject } from '../object.ts'
import { Refusal } from '../refusal.ts'
import { shapeOf } from '../types/shape-of.ts'
import { decodeProtobuf } from './decode-protobuf.ts'

/** As it would be stored: what Go writes in any case is in one form, and not in the other. */
function complete(object: JsonObject): JsonObject {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string }
  const shape = shapeOf(apiVersion, kind)
  assert.ok(shape)
  return setDefaults(decode(object, shape, { unknown: 'refuse' }).object, shape)
}

each(recorded, ({ base64, json }) => {
  const object = decodeProtobuf(Buffer.from(base64, 'base64'), shapeOf)
  assert.deepEqual(complete(object), complete(json))
})

const bytesOf = (name: string): Buffer =>
  Buffer.from(recorded.find((one) => one.name.includes(name))?.base64 ?? '', 'base64')

void test('empty messages that Go cannot omit do not come out', () => {
  assert.deepEqual(decodeProtobuf(bytesOf('create namespace'), shapeOf), {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name: 'team' },
  })
})

void test('a zero behind a pointer does', () => {
  const { spec } = decodeProtobuf(bytesOf('create deployment'), shapeOf)
  assert.equal((spec as JsonObject)['replicas'], 0)
})

/** An envelope around the fields of a kind, all of them shorter than 128 bytes. */
function envelope(apiVersion: string, kind: string, raw: readonly number[]): Uint8Array {
  const text = (number: number, value: string) => [
    (number << 3) | 2,
    value.length,
    ...Buffer.from(value),
  ]
  const type = [...text(1, apiVersion), ...text(2, kind)]
  return Uint8Array.of(0x6b, 0x38, 0x73, 0, 10, type.length, ...type, 18, raw.length, ...raw)
}

const fields: readonly { name: string; raw: readonly number[]; gives: JsonObject }[] = [
  { name: 'packed numbers', raw: [18, 6, 114, 4, 34, 2, 1, 2], gives: { spec: spec([1, 2]) } },
  {
    name: 'numbers one by one',
    raw: [18, 7, 114, 5, 32, 1, 32, 0xac, 2],
    gives: { spec: spec([1, 300]) },
  },
  {
    name: 'negative numbers, in ten bytes',
    raw: [18, 11, 0x20, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
    gives: { spec: { terminationGracePeriodSeconds: -1 } },
  },
  {
    name: 'unknown numbers of every width',
    raw: [0xf8, 6, 1, 0xf9, 6, 1, 2, 3, 4, 5, 6, 7, 8, 0xfd, 6, 1, 2, 3, 4, 0xfa, 6, 1, 9],
    gives: {},
  },
]
function spec(supplementalGroups: readonly number[]): JsonObject {
  return { securityContext: { supplementalGroups } }
}
each(fields, ({ raw, gives }) => {
  assert.deepEqual(decodeProtobuf(envelope('v1', 'Pod', raw), shapeOf), {
    kind: 'Pod',
    apiVersion: 'v1',
    ...gives,
  })
})

const wrong: readonly { name: string; bytes: Uint8Array; said: RegExp }[] = [
  { name: 'no prefix', bytes: Buffer.from('{}'), said: /expected prefix \[107 56 115 0\]/ },
  { name: 'nothing', bytes: new Uint8Array(), said: /expected prefix/ },
  {
    name: 'an unknown kind',
    bytes: envelope('v1', 'Cat', []),
    said: /^no kind "Cat" is registered/,
  },
  { name: 'a message cut short', bytes: envelope('v1', 'Pod', [10, 9, 1]), said: /unexpected EOF/ },
  { name: 'a group', bytes: envelope('v1', 'Pod', [11]), said: /illegal wireType 3/ },
  { name: 'field 0', bytes: envelope('v1', 'Pod', [2, 0]), said: /illegal tag 0/ },
  {
    name: 'a number without end',
    bytes: envelope('v1', 'Pod', [8, ...Array.from({ length: 11 }, () => 0xff)]),
    said: /integer overflow/,
  },
  { name: 'a number for a message', bytes: envelope('v1', 'Pod', [8, 1]), said: /wrong wireType/ },
  {
    name: 'a time out of range',
    bytes: envelope('v1', 'Pod', [10, 11, 66, 9, 8, 255, 255, 255, 255, 255, 255, 255, 127]),
    said: /year outside of range/,
  },
]
each(wrong, ({ bytes, said }) => {
  assert.throws(
    () => decodeProtobuf(bytes, shapeOf),
    (error) => error instanceof Refusal && error.code === 400 && said.test(error.message),
  )
})

const decodesOrRefuses = (bytes: Uint8Array): void => {
  try {
    decodeProtobuf(bytes, shapeOf)
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
  }
}

void test('bytes changed at random are decoded or refused', () => {
  const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) })
  fc.assert(
    fc.property(
      fc.constantFrom(...recorded),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      ({ base64 }, changes, cut) => {
        const bytes = Buffer.from(base64, 'base64')
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte
        decodesOrRefuses(bytes)
        decodesOrRefuses(bytes.subarray(0, cut % bytes.length))
      },
    ),
  )
})

void test('many empty items are read in time that grows with them', () => {
  const args = Buffer.alloc(100_000, Buffer.from([34, 0]))
  const pod = withLength(18, withLength(18, args))
  const type = Buffer.from([10, 9, 10, 2, ...Buffer.from('v1'), 18, 3, ...Buffer.from('Pod')])
  const bytes = Buffer.concat([Buffer.from('k8s\0'), type, withLength(18, pod)])
  const { spec } = decodeProtobuf(bytes, shapeOf) as { spec: { containers: { args: string[] }[] } }
  assert.equal(spec.containers[0]?.args.length, 50_000)
})

function withLength(tag: number, bytes: Uint8Array): Buffer {
  const length: number[] = []
  for (let rest = bytes.length; rest > 0; rest >>>= 7)
    length.push((rest & 127) | (rest > 127 ? 128 : 0))
  return Buffer.concat([Buffer.from([tag, ...length]), bytes])
}
