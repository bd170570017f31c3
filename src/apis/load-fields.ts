/** The grammar of `kind name=value ...`, strict: whatever is unknown, twice or out of range is refused. */
import { parseDuration } from '../core/duration.ts'
import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { parseMillicores } from '../core/quantity.ts'

type Range = { readonly min: number; readonly max: number }

/** Takes the fields that a kind has; one without a fallback must be there. */
export type Fields = {
  readonly has: (name: string) => boolean
  /** Millicores of a Kubernetes quantity. */
  readonly cpu: (name: string, fallback?: number) => number
  /** Milliseconds. */
  readonly duration: (name: string) => number
  /** Microseconds of CPU time. */
  readonly micros: (name: string) => number
  readonly count: (name: string, fallback: number, range?: Range) => number
  /** Rounded to thousandths. */
  readonly amount: (name: string) => number
  /** Above 0, in millionths; 1 if not said. */
  readonly factor: (name: string) => number
  readonly text: (name: string, example: string) => string
  readonly word: <Word extends string>(name: string, words: readonly [Word, ...Word[]]) => Word
  readonly seed: () => number | null
  readonly refuse: (problem: string) => never
}

export const mostMilliCpu = 1_000_000
const mostThreads = 1000
export const mostAmount = 1_000_000
const longest = 10_000 * 3_600_000
const microUnits: Readonly<Record<string, number>> = { us: 1, ms: 1000, s: 1_000_000 }

export function parseFields<Result>(
  text: string,
  kinds: Readonly<Record<string, (fields: Fields) => Result>>,
): Result {
  const [kind = '', ...words] = text.trim().split(/\s+/)
  const take = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (take === undefined) {
    const known = Object.keys(kinds)
    const expected = `expected ${known.join(', ')}${hint(kind, known)}`
    throw new InvalidInput(`parsing load ${JSON.stringify(text)}: ${expected}, got ${quote(kind)}`)
  }
  const refuse = refusing(text)
  const values = valuesOf(words, refuse)
  const asked = new Set<string>()
  const result = take(fieldsOf({ values, asked, refuse }))
  for (const name of values.keys()) {
    if (asked.has(name)) continue
    const known = [...asked]
    refuse(`expected for ${kind} ${known.join(', ')}${hint(name, known)}, got ${quote(name)}`)
  }
  return result
}

/** Throws with the text in front. */
export const refusing =
  (text: string): Refuse =>
  (problem) => {
    throw new InvalidInput(`parsing load ${JSON.stringify(text)}: ${problem}`)
  }

const quote = (text: string): string => (text === '' ? 'nothing' : JSON.stringify(text))

function hint(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === undefined ? '' : ` (perhaps ${near})`
}

type Refuse = (problem: string) => never

function valuesOf(words: readonly string[], refuse: Refuse): Map<string, string> {
  const values = new Map<string, string>()
  for (const word of words) {
    const [, name, value] = /^([a-z]+)=(.+)$/.exec(word) ?? []
    if (name === undefined || value === undefined) {
      return refuse(`expected name=value, got ${quote(word)}`)
    }
    if (values.has(name)) refuse(`expected ${name} once, got it twice`)
    values.set(name, value)
  }
  return values
}

type Given = {
  readonly values: ReadonlyMap<string, string>
  readonly asked: Set<string>
  readonly refuse: Refuse
}

function fieldsOf({ values, asked, refuse }: Given): Fields {
  const find = (name: string): string | undefined => {
    asked.add(name)
    return values.get(name)
  }
  const need = (name: string, example: string): string =>
    find(name) ?? refuse(`expected ${name}, such as ${name}=${example}, got none`)
  const number = (text: string, { name, expected }: { name: string; expected: string }): number =>
    /^\d+(\.\d+)?$/.test(text) ? Number(text) : refuse(`${name}: ${expected}, got ${quote(text)}`)
  const whole = (name: string, text: string, { min, max }: Range): number => {
    const expected = `expected a whole number from ${min} to ${max}`
    const value = number(text, { name, expected })
    if (Number.isInteger(value) && value >= min && value <= max) return value
    return refuse(`${name}: ${expected}, got ${quote(text)}`)
  }
  return {
    has: (name) => find(name) !== undefined,
    cpu(name, fallback) {
      if (fallback !== undefined && find(name) === undefined) return fallback
      const text = need(name, '300m')
      const value = reading(() => parseMillicores(text), { name, refuse })
      if (value >= 0 && value <= mostMilliCpu) return value
      return refuse(`${name}: expected 0 to ${mostMilliCpu / 1000} CPUs, got ${quote(text)}`)
    },
    duration(name) {
      const text = need(name, '10s')
      const range = { flag: name, min: 1, max: longest }
      return reading(() => parseDuration(text, range), { refuse })
    },
    micros(name) {
      const text = need(name, '8ms')
      const [, size = '', unit = ''] = /^(\d+(?:\.\d+)?)(us|ms|s)$/.exec(text) ?? []
      const value = Math.round(Number(size) * (microUnits[unit] ?? 0))
      if (value >= 10 && value <= 60_000_000) return value
      return refuse(`${name}: expected CPU time from 10us to 60s, got ${quote(text)}`)
    },
    count(name, fallback, range = { min: 1, max: mostThreads }) {
      const text = find(name)
      return text === undefined ? fallback : whole(name, text, range)
    },
    amount(name) {
      const text = need(name, '50')
      const expected = `expected a number from 0 to ${mostAmount}`
      const value = number(text, { name, expected })
      if (value <= mostAmount) return Math.round(value * 1000) / 1000
      return refuse(`${name}: ${expected}, got ${quote(text)}`)
    },
    factor(name) {
      const text = find(name) ?? '1'
      const expected = `expected a number from 0.000001 to ${mostAmount}`
      const value = Math.round(number(text, { name, expected }) * 1e6) / 1e6
      if (value > 0 && value <= mostAmount) return value
      return refuse(`${name}: ${expected}, got ${quote(text)}`)
    },
    text: need,
    word(name, words) {
      const text = find(name)
      const found = text === undefined ? words[0] : words.find((word) => word === text)
      return found ?? refuse(`${name}: expected ${words.join(', ')}, got ${quote(text ?? '')}`)
    },
    seed() {
      const text = find('seed')
      return text === undefined ? null : whole('seed', text, { min: 0, max: 2 ** 32 - 1 })
    },
    refuse,
  }
}

/** With the name of the load in front of what the parser of a value says. */
function reading<T>(parse: () => T, { name, refuse }: { name?: string; refuse: Refuse }): T {
  try {
    return parse()
  } catch (error) {
    const { message } = error as Error
    return refuse(name === undefined ? message : `${name}: ${message}`)
  }
}
