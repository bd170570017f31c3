/** Names and ids that the server makes up. */
import type { Random } from '../../../core/random.ts'

/** Without vowels and digits that look like them, so that no words come out. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixLength = 5
const longestBase = 63 - suffixLength

export function generateName(base: string, random: Random): string {
  let name = base.slice(0, longestBase)
  for (let i = 0; i < suffixLength; i += 1) {
    name += alphabet[Math.floor(random() * alphabet.length)]
  }
  return name
}

/** UUID version 4 (RFC 9562). */
export function makeUid(random: Random): string {
  const words = Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32))
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('')
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) & 3]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}
