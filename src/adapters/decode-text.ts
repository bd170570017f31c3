/** Bytes as text: UTF-8 and nothing else, with the reason where they are not. */
import { isUtf8 } from 'node:buffer'

/** How other things begin that are taken for text. */
const beginnings: readonly { readonly bytes: readonly number[]; readonly name: string }[] = [
  { bytes: [0xff, 0xfe], name: 'UTF-16; save it as UTF-8' },
  { bytes: [0xfe, 0xff], name: 'UTF-16; save it as UTF-8' },
  { bytes: [0x1f, 0x8b], name: 'a compressed file; unpack it with gunzip' },
]

export function decodeText(bytes: Buffer): string {
  const other = beginnings.find((one) => one.bytes.every((byte, i) => bytes[i] === byte))
  if (other !== undefined) throw new Error(`expected text in UTF-8, got ${other.name}`)
  if (!isUtf8(bytes)) throw new Error('expected text in UTF-8, got bytes that are not')
  const nul = bytes.indexOf(0)
  if (nul >= 0) throw new Error(`expected text, got a NUL byte at offset ${nul}`)
  // Some editors put a byte order mark in front, which is no part of the text.
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}
