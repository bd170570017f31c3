/** Messages that are one value in JSON: times, quantities, numbers or strings, and raw JSON. */
import { timeOf } from '../../timestamps.ts'
import type { Json } from '../object.ts'
import { badRequest } from '../refusal.ts'
import type { Shape } from '../shape.ts'
import { bytesOf, integerOf, readMessage, textOf, type WireValue } from './wire.ts'

/** Undefined is a zero value, which JSON would not have. */
export function readWellKnown(bytes: Uint8Array, shape: Shape): Json | undefined {
  const values = new Map<number, WireValue>()
  readMessage(bytes, (number, value) => values.set(number, value))
  if (shape.type === 'int-or-string') return readIntOrString(values)
  if (shape.type === 'any') return readRaw(values)
  if (shape.type === 'string' && shape.format === 'quantity') return textOf(values.get(1) ?? empty)
  return values.size === 0 ? undefined : readTimestamp(values, shape)
}

const empty = new Uint8Array()

function readIntOrString(values: ReadonlyMap<number, WireValue>): Json {
  const isString = integerOf(values.get(1) ?? 0n) === 1
  return isString ? textOf(values.get(3) ?? empty) : integerOf(values.get(2) ?? 0n)
}

/** The schema of a CRD is no raw JSON, and nobody sends it so: kubectl and controllers use JSON. */
function readRaw(values: ReadonlyMap<number, WireValue>): Json | undefined {
  if ([...values.keys()].some((number) => number !== 1)) {
    throw badRequest('expected raw JSON in a protobuf message, got a message; send it as JSON')
  }
  const text = textOf(bytesOf(values.get(1) ?? empty))
  try {
    return text === '' ? undefined : (JSON.parse(text) as Json)
  } catch (error) {
    throw badRequest(`json parse error: ${String(error)}`)
  }
}

/** Years 1 to 9999, which is all that RFC 3339 can write. */
const EARLIEST = -62_135_596_800
const LATEST = 253_402_300_799

function readTimestamp(values: ReadonlyMap<number, WireValue>, shape: Shape): string {
  const seconds = integerOf(values.get(1) ?? 0n)
  const nanos = integerOf(values.get(2) ?? 0n)
  if (seconds < EARLIEST || seconds > LATEST || nanos < 0 || nanos >= 1e9) {
    throw badRequest('Time.MarshalJSON: year outside of range [0,9999]')
  }
  const text = timeOf(seconds * 1000)
  const isMicro = shape.type === 'string' && shape.format === 'micro-time'
  const micros = Math.floor(nanos / 1000)
    .toString()
    .padStart(6, '0')
  return isMicro ? text.replace('Z', `.${micros}Z`) : text
}
