/** Answers made small for those who can read them so. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Smaller ones hardly gain, and a packet is 1.4 KB anyway. */
export const LEAST_BYTES = 1400

/** The best that a client takes, by its `Accept-Encoding`; undefined is as it is. */
export function encodingFor(
  accepted: string | undefined,
  has: readonly Encoding[],
): Encoding | undefined {
  const taken = new Set(
    (accepted ?? '')
      .split(',')
      .map((part) => part.trim().split(';'))
      .filter(([, quality = 'q=1']) => !/^\s*q=0(\.0*)?$/.test(quality))
      .map(([name = '']) => name.toLowerCase()),
  )
  return has.find((encoding) => taken.has(encoding))
}

/** As small as can be: for what is done once. */
export const compressOnce = (bytes: Uint8Array, encoding: Encoding): Buffer =>
  encoding === 'br'
    ? brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
    : gzipSync(bytes, { level: 9 })

/** In little time: for what is told once. */
export const compressQuickly = (text: string): Buffer => gzipSync(text, { level: 2 })
