/** What the bytes of JSON are, for whoever reads it without making strings of it. */

/** Digits, signs, dots, and the letters of true, false, null and exponents. */
export const isOfNumber = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e ||
  byte === 0x45

/** Needs no escapes, and no other encoding. */
export const isPlain = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/

/** Of a key that is no JSON, nothing. */
export function unescape(key: string): string {
  if (!key.includes('\\')) return key
  try {
    return JSON.parse(`"${key}"`) as string
  } catch {
    return ''
  }
}
