/** Inputs: valid ones with a few things wrong, and now and then plain bytes. */
import { stringify } from 'yaml'

import type { Random } from '../../src/core/random.ts'
import type { FuzzInput } from './target.ts'

/** A whole number from 0 to `below` - 1. */
export const upTo = (random: Random, below: number): number => Math.floor(random() * below)

export function pick<T>(random: Random, list: readonly T[]): T {
  const item = list[upTo(random, list.length)]
  if (item === undefined)
    throw new RangeError('picking an item: expected a list with one, got none')
  return item
}

export const chance = (random: Random, probability: number): boolean => random() < probability

/** What has broken parsers before; a word each, and then those with blanks. */
export const oddTexts: readonly string[] = [
  '0 -0 -1 00 0x10 1_000 1e15 1e20 1e309 -1e-400 9007199254740993 18446744073709551616',
  'NaN Infinity .inf 0.1 1. .5 1e 1Ei 1m 5% null true ~ {} [] { [ } ] " \' , : - | > # ---',
  '__proto__ constructor prototype toString hasOwnProperty length $patch << *a % %00 %zz ../.. / \\',
  '0- 0-4095 4095-0 0-99999999999 1,,2 10s -5ms 1h1h 99999999d a/b/c A_b-c.d',
  '(a+)+$ [[:alpha:] (?=a) a{1000}{1000} \u001b[31m \u202e \ud800 😀',
]
  .flatMap((line) => line.split(' '))
  .concat(['', ' ', '\n', '\t', '\0', '\r\n', '&a b', '!!binary x', '!!js/function x', '? a'])
  .concat(['ß'.repeat(64), 'x'.repeat(300)])

const oddNumbers: readonly unknown[] = [
  0,
  -0,
  -1,
  0.1,
  1e15,
  1e20,
  1e308,
  2 ** 31,
  2 ** 53,
  2 ** 64,
]
export const oddValues: readonly unknown[] = oddNumbers
  .concat([null, true, false, -(2 ** 63), {}, { '': '' }, { a: null }])
  .concat([[], [[]], [null], [{}], [1, 'a', {}]].map((list): unknown => list))

const oddValue = (random: Random): unknown =>
  chance(random, 0.5) ? pick(random, oddTexts) : pick(random, oddValues)

type Edit = (text: string, random: Random, others: readonly string[]) => string

const cut = (text: string, random: Random): readonly [number, number] => {
  const from = upTo(random, text.length + 1)
  return [
    from,
    Math.min(text.length, from + 1 + upTo(random, chance(random, 0.8) ? 8 : text.length + 1)),
  ]
}

const edits: readonly Edit[] = [
  (text, random) => {
    const [from, to] = cut(text, random)
    return text.slice(0, from) + text.slice(to)
  },
  (text, random) => {
    const [from, to] = cut(text, random)
    const times = chance(random, 0.02) ? 2000 : 1 + upTo(random, 8)
    return (
      text.slice(0, from) + text.slice(from, to).repeat(times).slice(0, 200_000) + text.slice(from)
    )
  },
  (text, random) => {
    const from = upTo(random, text.length + 1)
    return text.slice(0, from) + pick(random, oddTexts) + text.slice(from)
  },
  (text, random) => {
    const from = upTo(random, text.length + 1)
    const sign = String.fromCharCode(
      chance(random, 0.9) ? upTo(random, 128) : upTo(random, 0x10000),
    )
    return text.slice(0, from) + sign + text.slice(from + 1)
  },
  (text, random, others) => {
    const other = pick(random, others)
    return (
      text.slice(0, upTo(random, text.length + 1)) + other.slice(upTo(random, other.length + 1))
    )
  },
  replaceWord,
  replaceWord,
  (text, random) => (chance(random, 0.1) ? deepen(text, random) : text),
]

/** A number or a word becomes another: what parsers look at most. */
function replaceWord(text: string, random: Random): string {
  const words = [...text.slice(0, 4000).matchAll(/[\w.+-]+/g)]
  if (words.length === 0) return text
  const { 0: word, index } = pick(random, words)
  return text.slice(0, index) + pick(random, oddTexts) + text.slice(index + word.length)
}

/** One value becomes a deep nest of lists or maps, also unclosed. */
function deepen(text: string, random: Random): string {
  const [open, close] = pick(random, [
    ['[', ']'],
    ['{"a":', '}'],
    ['(', ')'],
    ['- ', ''],
  ] as const)
  const depth = pick(random, [10, 100, 1000, 10_000])
  const from = upTo(random, text.length + 1)
  const ends = chance(random, 0.8) ? `1${close.repeat(depth)}` : ''
  return text.slice(0, from) + open.repeat(depth) + ends + text.slice(from + 1)
}

/** One of the texts with one to four edits; one in twenty is left as it is. */
export function mutateText(random: Random, seeds: readonly string[]): string {
  let text = pick(random, seeds)
  if (chance(random, 0.05)) return text
  for (let left = 1 + upTo(random, 4); left > 0; left -= 1) {
    text = pick(random, edits)(text, random, seeds)
  }
  return text
}

export function mutateBytes(random: Random, seeds: readonly Uint8Array[]): Uint8Array {
  const texts = seeds.map((seed) => Buffer.from(seed).toString('latin1'))
  return Buffer.from(mutateText(random, texts), 'latin1')
}

export const randomBytes = (random: Random, most = 200): Uint8Array =>
  Uint8Array.from({ length: upTo(random, most) }, () => upTo(random, 256))

/** A copy of a JSON value in which a few nodes are other ones. */
export function mutateValue(random: Random, seed: unknown): unknown {
  let value = structuredClone(seed)
  if (chance(random, 0.05)) return value
  for (let left = 1 + upTo(random, 3); left > 0; left -= 1) value = changeNode(value, random)
  return value
}

function changeNode(value: unknown, random: Random): unknown {
  const inside = typeof value === 'object' && value !== null && chance(random, 0.8)
  if (!inside) return oddValue(random)
  if (Array.isArray(value)) return changeList(value as readonly unknown[], random)
  return changeObject(value as Record<string, unknown>, random)
}

function changeList(list: readonly unknown[], random: Random): unknown {
  const at = upTo(random, list.length)
  const how = random()
  if (list.length === 0 || how < 0.1) return [...list, oddValue(random)]
  if (how < 0.2) return list.toSpliced(at, 1)
  if (how < 0.3) return list.toSpliced(at, 0, list[at])
  if (how < 0.31) return Array.from({ length: 500 }, () => list[at])
  return list.with(at, changeNode(list[at], random))
}

function changeObject(object: Record<string, unknown>, random: Random): unknown {
  const entries = Object.entries(object)
  const at = upTo(random, entries.length)
  const [key = '', old] = entries[at] ?? []
  const how = random()
  // By entries and not by assignment: `__proto__` is to be a key like any other.
  if (entries.length === 0 || how < 0.1) {
    return Object.fromEntries([...entries, [pick(random, oddTexts), oddValue(random)]])
  }
  if (how < 0.2) return Object.fromEntries(entries.toSpliced(at, 1))
  if (how < 0.3) return Object.fromEntries(entries.with(at, [pick(random, oddTexts), old]))
  if (how < 0.31) {
    const more = Array.from({ length: 500 }, (_, i): [string, unknown] => [`${key}${i}`, old])
    return Object.fromEntries([...entries, ...more])
  }
  return Object.fromEntries(entries.with(at, [key, changeNode(old, random)]))
}

/**
 * Documents of which the seeds are valid ones: wrong in their structure, in their text, or only noise.
 * YAML is a hundred times as slow to write and to read as JSON, so one in ten is.
 */
export function documentsFrom(seeds: readonly unknown[]): (random: Random) => FuzzInput {
  const written = seeds.map((seed) => ({
    seed,
    json: JSON.stringify(seed),
    yaml: stringify(seed, { aliasDuplicateObjects: false }),
  }))
  return (random) => {
    const { seed, json, yaml } = pick(random, written)
    const isYaml = chance(random, 0.1)
    const how = random()
    if (how < 0.02) return randomBytes(random)
    if (how < 0.3) return mutateText(random, [isYaml ? yaml : json])
    const value = mutateValue(random, seed)
    return isYaml ? stringify(value) : JSON.stringify(value)
  }
}
