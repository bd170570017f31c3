/** Sets of characters, by code point. */
export type CharSet = {
  readonly has: (point: number) => boolean
  /** Comparisons that `has` takes at most, outside of ASCII. */
  readonly cost: number
}
export type Range = readonly [from: number, to: number]

export const LAST_POINT = 0x10_ff_ff

/** Most characters are ASCII: for those it is one look into a table. */
function tabled(cost: number, has: (point: number) => boolean): CharSet {
  const table = Uint8Array.from({ length: 128 }, (_, point) => Number(has(point)))
  return { cost, has: (point) => (point < 128 ? table[point] === 1 : has(point)) }
}

export const inRanges = (ranges: readonly Range[]): CharSet =>
  tabled(ranges.length + 1, (point) => ranges.some(([from, to]) => point >= from && point <= to))

const ascii = Array.from({ length: 128 }, (_, point) => newOnly(point))

/** Most of a pattern are single characters: without a table, and those of ASCII made once. */
export const only = (point: number): CharSet => ascii[point] ?? newOnly(point)

function newOnly(point: number): CharSet {
  return { cost: 1, has: (other) => other === point }
}

export const anyOf = (sets: readonly CharSet[]): CharSet =>
  tabled(costOf(sets), (point) => sets.some((set) => set.has(point)))

const costOf = (sets: readonly CharSet[]): number => sets.reduce((sum, { cost }) => sum + cost, 1)

export const not = (set: CharSet): CharSet => tabled(set.cost, (point) => !set.has(point))

/** Beside its own upper and lower case: the Kelvin sign is a k, the long s an s, the Angstrom sign an å. */
const alsoCased: Readonly<Record<string, string>> = { k: '\u212A', s: '\u017F', å: '\u212B' }

/** At most so many, with the work to find them. */
const CASES = 10

function casesOf(point: number): readonly number[] {
  const text = String.fromCodePoint(point)
  const lower = text.toLowerCase()
  const upper = text.toUpperCase()
  return [lower, upper, lower.toUpperCase(), upper.toLowerCase(), alsoCased[lower] ?? '']
    .filter((one) => Array.from(one).length === 1)
    .map((one) => one.codePointAt(0) ?? 0)
}

/** In either case. */
export const folded = (set: CharSet): CharSet =>
  tabled(CASES * set.cost, (point) => set.has(point) || casesOf(point).some((one) => set.has(one)))

const between = (...pairs: readonly string[]): CharSet =>
  inRanges(pairs.map((pair): Range => [pair.charCodeAt(0), pair.charCodeAt(pair.length - 1)]))

const digit = between('09')
const word = between('09', 'AZ', 'az', '_')
const space = between('\t\n', '\f\r', ' ')

/** `\\d` and the like, which are of ASCII only, as in Go; in capitals they are what is not in them. */
export const perlClasses: ReadonlyMap<string, CharSet> = new Map([
  ['d', digit],
  ['w', word],
  ['s', space],
])

/** `[[:alpha:]]` */
export const posixClasses: ReadonlyMap<string, CharSet> = new Map([
  ['alnum', between('09', 'AZ', 'az')],
  ['alpha', between('AZ', 'az')],
  ['ascii', between('\0\x7f')],
  ['blank', between('\t', ' ')],
  ['cntrl', between('\0\x1f', '\x7f')],
  ['digit', digit],
  ['graph', between('!~')],
  ['lower', between('az')],
  ['print', between(' ~')],
  ['punct', between('!/', ':@', '[`', '{~')],
  ['space', between('\t\r', ' ')],
  ['upper', between('AZ')],
  ['word', word],
  ['xdigit', between('09', 'AF', 'af')],
])

/** `\pL` and `\p{Greek}`; undefined if there is no such class. */
export function unicodeClass(name: string): CharSet | undefined {
  if (name === 'Any') return inRanges([[0, LAST_POINT]])
  const asked = /^[A-Z][a-z]?$/.test(name) ? name : `Script=${name}`
  if (!/^[\w=]+$/.test(asked)) return undefined
  try {
    // One character a time: nothing that this could backtrack over.
    const one = new RegExp(`^\\p{${asked}}$`, 'u')
    return tabled(10, (point) => one.test(String.fromCodePoint(point)))
  } catch {
    return undefined
  }
}

export const isWordPoint = (point: number): boolean => word.has(point)
