/**
 * Looks over a JSON text before it is parsed: how deep it is nested, how many values it holds, and whether
 * an object has a key twice, of which `JSON.parse` keeps the last without a word. One pass, in linear time,
 * without recursion; a text that is not JSON is looked over as well, and refused by whoever parses it.
 *
 *   text                      fault
 *   {"a":{"b":1,"b":2}}       a.b is there twice
 *   [[[ ... 101 deep          expected at most 100 levels of nesting, got more
 */
export type JsonBounds = {
  readonly depth: number
  /** Values in all, counting those that hold others. */
  readonly values: number
}

/** Deeper than any object of Kubernetes, whose schemas are the deepest; two million values are 200 MB. */
export const usualJsonBounds: JsonBounds = { depth: 100, values: 2_000_000 }

export type JsonFaults = {
  /** Beyond a bound: the text must not be parsed. */
  readonly beyond?: string
  /** The path of the first key that is there twice; means something only where the text is JSON. */
  readonly twice?: string
}

/** An object or a list that is open, and where in it we are. */
type Open = { readonly isObject: boolean; at: string | number; readonly keys: Set<string> }

const [quote, comma, colon] = ['"', ',', ':'].map((one) => one.charCodeAt(0))
const [openBrace, closeBrace] = ['{', '}'].map((one) => one.charCodeAt(0))
const [openBracket, closeBracket] = ['[', ']'].map((one) => one.charCodeAt(0))

export function scanJson(text: string, bounds: JsonBounds = usualJsonBounds): JsonFaults {
  const open: Open[] = []
  let values = 1
  let twice: string | undefined
  let isKeyNext = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      const end = endOfString(text, i)
      const inner = open.at(-1)
      if (isKeyNext && inner !== undefined) {
        inner.at = keyOf(text.slice(i, end + 1))
        if (inner.keys.has(inner.at)) twice ??= showPath(open)
        inner.keys.add(inner.at)
      }
      isKeyNext = false
      i = end
    } else if (code === openBrace || code === openBracket) {
      const isObject = code === openBrace
      open.push({ isObject, at: isObject ? '' : 0, keys: isObject ? new Set() : noKeys })
      if (open.length > bounds.depth) {
        return { beyond: `expected at most ${bounds.depth} levels of nesting, got more` }
      }
      values += 1
      isKeyNext = isObject
    } else if (code === closeBrace || code === closeBracket) {
      open.pop()
      isKeyNext = false
    } else if (code === comma) {
      const inner = open.at(-1)
      if (typeof inner?.at === 'number') inner.at += 1
      isKeyNext = inner?.isObject === true
      values += 1
    } else if (code === colon) isKeyNext = false
    if (values > bounds.values) {
      return { beyond: `expected at most ${bounds.values} values, got more` }
    }
  }
  return twice === undefined ? {} : { twice }
}

const noKeys = new Set<string>()

/** Where the string that begins at `start` ends; the last character of a text that breaks off. */
function endOfString(text: string, start: number): number {
  for (let i = start; ;) {
    i = text.indexOf('"', i + 1)
    if (i < 0) return text.length - 1
    let slashes = 0
    while (text[i - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return i
  }
}

/** Two ways to write a key are one key. */
function keyOf(raw: string): string {
  if (!raw.includes('\\')) return raw.slice(1, -1)
  try {
    return String(JSON.parse(raw))
  } catch {
    return raw
  }
}

/** Such as `bids[2].id`. */
const showPath = (open: readonly Open[]): string =>
  open
    .map(({ at }, i) => (typeof at === 'number' ? `[${at}]` : `${i === 0 ? '' : '.'}${at}`))
    .join('')
