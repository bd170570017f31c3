/**
 * Reads protocol buffers as far as the kubelet's answers need it: https://protobuf.dev/programming-guides/encoding
 *
 *   bytes      means
 *   08 01      field 1, a number: 1
 *   0a 02 ..   field 1, two bytes: a text, a message or packed numbers
 *   10 80 02   field 2, a number: 256
 */

/** A field that was seen more than once comes more than once. */
export type Field =
  | { readonly number: number; readonly value: number }
  | { readonly number: number; readonly bytes: Buffer }

export function fieldsIn(message: Buffer): Field[] {
  const fields: Field[] = []
  const cursor = { at: 0 }
  while (cursor.at < message.length) {
    const key = readVarint(message, cursor)
    const number = Math.floor(key / 8)
    const wireType = key % 8
    if (wireType === VARINT) fields.push({ number, value: readVarint(message, cursor) })
    else if (wireType === BYTES) {
      fields.push({ number, bytes: take(message, cursor, readVarint(message, cursor)) })
    } else if (wireType === FIXED64) take(message, cursor, 8)
    else if (wireType === FIXED32) take(message, cursor, 4)
    else throw new Error(`reading a message: expected a known wire type, got ${wireType}`)
  }
  return fields
}

const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5]

type Cursor = { at: number }

/** Beyond 53 bits it is not exact, and no id or count goes that far. */
function readVarint(message: Buffer, cursor: Cursor): number {
  let value = 0
  for (let scale = 1; scale < 2 ** 70; scale *= 128) {
    const byte = take(message, cursor, 1)[0] as number
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
  }
  throw new Error('reading a message: expected a number of at most ten bytes')
}

function take(message: Buffer, cursor: Cursor, length: number): Buffer {
  const end = cursor.at + length
  if (end > message.length) {
    throw new Error(
      `reading a message: expected ${length} more bytes, got ${message.length - cursor.at}`,
    )
  }
  const taken = message.subarray(cursor.at, end)
  cursor.at = end
  return taken
}

/** Of a field that is repeated. */
export const messagesOf = (fields: readonly Field[], number: number): Field[][] =>
  bytesOf(fields, number).map(fieldsIn)

export const textsOf = (fields: readonly Field[], number: number): string[] =>
  bytesOf(fields, number).map((bytes) => bytes.toString('utf8'))

/** The last counts, and nothing is the default. */
export const textOf = (fields: readonly Field[], number: number): string =>
  textsOf(fields, number).at(-1) ?? ''

/** One by one, or packed into one field. */
export const numbersOf = (fields: readonly Field[], number: number): number[] =>
  fields
    .filter((field) => field.number === number)
    .flatMap((field) => ('value' in field ? [field.value] : unpack(field.bytes)))

export const numberOf = (fields: readonly Field[], number: number): number =>
  numbersOf(fields, number).at(-1) ?? 0

function unpack(bytes: Buffer): number[] {
  const numbers: number[] = []
  const cursor = { at: 0 }
  while (cursor.at < bytes.length) numbers.push(readVarint(bytes, cursor))
  return numbers
}

const bytesOf = (fields: readonly Field[], number: number): Buffer[] =>
  fields.flatMap((field) => (field.number === number && 'bytes' in field ? [field.bytes] : []))
