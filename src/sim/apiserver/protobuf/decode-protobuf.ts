/**
 * Bodies of type application/vnd.kubernetes.protobuf, as `kubectl create` and Go's typed clients send
 * them: `k8s\0`, an envelope with kind and version, and in it the object by its field numbers. Comes
 * out as the JSON that Go would have written, less what it writes only because it cannot omit it.
 */
import { isZero } from '../decode/zero.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import { badRequest } from '../refusal.ts'
import type { Field, ObjectShape, Shape } from '../shape.ts'
import { readWellKnown } from './well-known.ts'
import { bytesOf, integerOf, readMessage, readVarint, textOf, type WireValue } from './wire.ts'

const PREFIX = [0x6b, 0x38, 0x73, 0x00]

type ShapeOf = (apiVersion: string, kind: string) => ObjectShape | undefined

export function decodeProtobuf(bytes: Uint8Array, shapeOf: ShapeOf): JsonObject {
  if (PREFIX.some((byte, i) => bytes[i] !== byte)) {
    throw badRequest(
      `provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(' ')}]`,
    )
  }
  const { apiVersion, kind, raw } = readEnvelope(bytes.subarray(PREFIX.length))
  const shape = shapeOf(apiVersion, kind)
  if (!shape) throw badRequest(`no kind "${kind}" is registered for version "${apiVersion}"`)
  return { kind, apiVersion, ...readObject(raw, shape) }
}

function readEnvelope(bytes: Uint8Array): { apiVersion: string; kind: string; raw: Uint8Array } {
  let apiVersion = ''
  let kind = ''
  let raw: Uint8Array = new Uint8Array()
  readMessage(bytes, (number, value) => {
    if (number === 2) raw = bytesOf(value)
    if (number !== 1) return
    readMessage(bytesOf(value), (typeNumber, text) => {
      if (typeNumber === 1) apiVersion = textOf(text)
      if (typeNumber === 2) kind = textOf(text)
    })
  })
  return { apiVersion, kind, raw }
}

/** The field of each number; for what Go embeds, the fields of the message in that place. */
type Numbers = Map<number, string | Numbers>
const numbered = new WeakMap<ObjectShape, Numbers>()

function numbersOf(shape: ObjectShape): Numbers {
  const known = numbered.get(shape)
  if (known) return known
  const numbers: Numbers = new Map()
  for (const [name, { number, embedded }] of shape.fields) {
    if (number === undefined) continue
    const inner = embedded && numbers.get(embedded.number)
    const into = embedded ? (inner instanceof Map ? inner : new Map()) : numbers
    if (embedded) numbers.set(embedded.number, into)
    into.set(number, name)
  }
  numbered.set(shape, numbers)
  return numbers
}

/** Messages in messages: no kind needs more, but a schema may be in itself. */
const DEEPEST = 200
let depth = 0

function readObject(bytes: Uint8Array, shape: ObjectShape): JsonObject {
  if (depth >= DEEPEST) throw badRequest('proto: exceeded max depth')
  depth += 1
  try {
    return readMembers(bytes, shape)
  } finally {
    depth -= 1
  }
}

function readMembers(bytes: Uint8Array, shape: ObjectShape): JsonObject {
  const found = new Map<string, WireValue[]>()
  collect(bytes, numbersOf(shape), found)
  const members: [string, Json][] = []
  for (const [name, values] of found) {
    const field = shape.fields.get(name)
    const value = field && readField(values, field.shape)
    if (value !== undefined && !isUnset(value, field)) members.push([name, value])
  }
  return Object.fromEntries(members)
}

function collect(bytes: Uint8Array, numbers: Numbers, found: Map<string, WireValue[]>): void {
  readMessage(bytes, (number, value) => {
    const name = numbers.get(number)
    if (name === undefined) return
    if (typeof name !== 'string') return collect(bytesOf(value), name, found)
    const values = found.get(name)
    if (values) values.push(value)
    else found.set(name, [value])
  })
}

/** Go sends what is not a pointer even when it is zero. */
function isUnset(value: Json, field: Field | undefined): boolean {
  if (field?.omitsZero === true && isZero(value)) return true
  return isJsonObject(field?.default) && isZero(value)
}

/** Items of lists and maps come one by one; of anything else the last one counts. */
function readField(values: readonly WireValue[], shape: Shape): Json | undefined {
  if (shape.type === 'list') return values.flatMap((value) => readItems(value, shape.items))
  if (shape.type === 'map') {
    return Object.fromEntries(values.map((value) => readEntry(bytesOf(value), shape.values)))
  }
  const last = values.at(-1)
  return last === undefined ? undefined : readValue(last, shape)
}

/** Numbers may be packed: many in one value. */
function readItems(value: WireValue, shape: Shape): readonly Json[] {
  const isNumber = shape.type === 'integer' || shape.type === 'boolean'
  if (!isNumber || typeof value === 'bigint') return [readValue(value, shape) ?? null]
  const items: Json[] = []
  for (let at = 0; at < value.length;) {
    const number = readVarint(value, at)
    items.push(readValue(number.value, shape) ?? null)
    at = number.end
  }
  return items
}

function readEntry(bytes: Uint8Array, shape: Shape): [string, Json] {
  let key = ''
  let member: Json = null
  readMessage(bytes, (number, value) => {
    if (number === 1) key = textOf(value)
    if (number === 2) member = readValue(value, shape) ?? null
  })
  return [key, member]
}

function readValue(value: WireValue, shape: Shape): Json | undefined {
  if (shape.type === 'object') return readObject(bytesOf(value), shape)
  if (shape.type === 'integer') return integerOf(value)
  if (shape.type === 'boolean') return integerOf(value) !== 0
  if (shape.type === 'string' && shape.format === undefined) return textOf(value)
  if (shape.type === 'string' && shape.format === 'byte') {
    return Buffer.from(bytesOf(value)).toString('base64')
  }
  if (shape.type === 'list') return readWrapped(bytesOf(value), shape.items)
  return readWellKnown(bytesOf(value), shape)
}

/** A list that is the value of a map is a message with the items as its field 1. */
function readWrapped(bytes: Uint8Array, shape: Shape): Json {
  const items: Json[] = []
  readMessage(bytes, (number, item) => {
    if (number === 1) items.push(readValue(item, shape) ?? null)
  })
  return items
}
