/** Protobuf's wire format: a message is a row of numbered values, whose types only the reader knows. */
import { badRequest } from '../refusal.ts'

/** Numbers come as unsigned 64-bit integers; strings, bytes and messages as bytes. */
export type WireValue = bigint | Uint8Array

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

const truncated = () => badRequest('unexpected EOF')

/** Calls for every value in turn; values of fixed width are passed over, since no kind has any. */
export function readMessage(
  bytes: Uint8Array,
  take: (number: number, value: WireValue) => void,
): void {
  let at = 0
  while (at < bytes.length) {
    const tag = readVarint(bytes, at)
    const number = Number(tag.value >> 3n)
    const type = Number(tag.value & 7n)
    if (number < 1) throw badRequest(`proto: illegal tag ${number} (wire type ${type})`)
    at = tag.end
    if (type === VARINT) {
      const { value, end } = readVarint(bytes, at)
      take(number, value)
      at = end
    } else if (type === BYTES) {
      const { value: length, end } = readVarint(bytes, at)
      if (length > bytes.length - end) throw truncated()
      at = end + Number(length)
      take(number, bytes.subarray(end, at))
    } else if (type === FIXED64 || type === FIXED32) {
      at += type === FIXED64 ? 8 : 4
      if (at > bytes.length) throw truncated()
    } else throw badRequest(`proto: illegal wireType ${type}`)
  }
}

/** Seven bits a byte, the lowest first, at most 64 in all. */
export function readVarint(bytes: Uint8Array, start: number): { value: bigint; end: number } {
  const first = bytes[start]
  if (first !== undefined && first < 128) return { value: BigInt(first), end: start + 1 }
  let value = 0n
  for (let i = 0; i < 10; i += 1) {
    const byte = bytes[start + i]
    if (byte === undefined) throw truncated()
    value |= BigInt(byte & 127) << BigInt(7 * i)
    if (byte < 128) return { value: BigInt.asUintN(64, value), end: start + i + 1 }
  }
  throw badRequest('proto: integer overflow')
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function textOf(value: WireValue): string {
  if (typeof value === 'bigint') throw badRequest('proto: wrong wireType = 0 for a string')
  return decoder.decode(value)
}

export function bytesOf(value: WireValue): Uint8Array {
  if (typeof value === 'bigint') throw badRequest('proto: wrong wireType = 0 for a message')
  return value
}

/** Negative numbers are written as 64 bits, whatever the field's width. */
export function integerOf(value: WireValue): number {
  if (typeof value !== 'bigint') throw badRequest('proto: wrong wireType = 2 for a number')
  return Number(BigInt.asIntN(64, value))
}
