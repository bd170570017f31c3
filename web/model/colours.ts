/**
 * A colour a pod: the same on every screen, as it comes from the names alone.
 *
 * Each takes the hue of its name's hash, or the next free one, in the order of the names. When all are
 * taken, a second round begins, in another shade: an index is a hue and, above the hues, a round.
 * O(pods x hues) at worst.
 *
 *   colourIndexes(['a'], 7)                     a: 5
 *   colourIndexes(['a', 'b', 'c'], 7)           a: 5, b: 6, c: 1        the others do not move a
 *   colourIndexes(['a', 'b', 'c'], 2)           a: 0, b: 1, c: 2        c has the hue of a, in the second shade
 */
export function colourIndexes(keys: readonly string[], hues: number): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>()
  const taken = new Set<number>()
  for (const key of keys.toSorted()) {
    const round = Math.floor(indexes.size / hues)
    let hue = hash(key) % hues
    while (taken.has(hue + round * hues)) hue = (hue + 1) % hues
    taken.add(hue + round * hues)
    indexes.set(key, hue + round * hues)
  }
  return indexes
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  }
  return value >>> 0
}

/** From one colour (`#rrggbb`) towards another, 0 to 1 of the way. */
export function blend(from: string, towards: string, ratio: number): `#${string}` {
  const [a, b] = [channels(from), channels(towards)]
  const mixed = a.map((value, i) => Math.round(value + ((b[i] ?? value) - value) * ratio))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const channels = (colour: string): number[] =>
  [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16))

/** WCAG 2: from 1 (the same) to 21 (black on white); text needs 4.5. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
