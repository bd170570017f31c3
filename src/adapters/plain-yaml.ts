/**
 * Reads the YAML that kubeconfigs and most configuration are written in: mappings and lists in blocks, with
 * one word, number or quoted text a line. It reads that as the `yaml` library does, or says that it cannot;
 * a test holds it to that. The library takes 65 ms of each command and megabytes of each agent to load.
 *
 *   text                    value
 *   a:\n- b: 1 # comment    { a: [{ b: 1 }] }
 *   a: {}                   { a: {} }
 *   a: {b: 1}, a: |, a: &b  undefined: left to the library
 */
type Line = { readonly indent: number; readonly text: string }

/** The lines, of which the first `at` are read, and how many blocks are open. */
type Reading = { readonly lines: Line[]; at: number; depth: number }

const printable = /^[\n -~]*$/
/** What is longer or deeper is left to the real parser, which refuses it. A million lines are 200 MB. */
const MOST_BYTES = 32 << 20
const MOST_LINES = 1_000_000
const DEEPEST = 100

/** Undefined: this takes a real parser. */
export function parsePlainYaml(text: string): unknown {
  if (text.length > MOST_BYTES || !printable.test(text)) return undefined
  if (text.length > MOST_LINES && text.split('\n', MOST_LINES + 1).length > MOST_LINES) {
    return undefined
  }
  const lines = text
    .split('\n')
    .map((line) => ({ indent: line.search(/[^ ]|$/), text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'))
  const reading = { lines, at: 0, depth: 0 }
  const value = readBlock(reading)
  return reading.at === lines.length ? value : undefined
}

const isItem = ({ text }: Line): boolean => text.startsWith('- ')

function readBlock(reading: Reading): unknown {
  const first = reading.lines[reading.at]
  if (first === undefined || reading.depth >= DEEPEST) return undefined
  reading.depth += 1
  const block = isItem(first) ? readList(reading, first.indent) : readMapping(reading, first.indent)
  reading.depth -= 1
  return block
}

/** The line that comes next, if it stands exactly there. One that stands deeper ends all blocks, and the reading. */
function lineAt({ lines, at }: Reading, indent: number): Line | undefined {
  const line = lines[at]
  return line?.indent === indent ? line : undefined
}

function readList(reading: Reading, indent: number): unknown {
  const list: unknown[] = []
  for (let line = lineAt(reading, indent); line && isItem(line); line = lineAt(reading, indent)) {
    const text = line.text.slice(1).trim()
    const isMapping = entry.test(text)
    if (isMapping) {
      // Its first entry stands behind the dash; the others stand below that.
      const inner = indent + line.text.length - text.length
      reading.lines[reading.at] = { indent: inner, text }
    } else reading.at += 1
    const item = isMapping ? readBlock(reading) : readScalar(text)
    if (item === undefined) return undefined
    list.push(item)
  }
  return list
}

/** A key that YAML takes for a text, and what stands behind it. */
const entry = /^(?!(?:null|true|false):)([A-Za-z][\w./-]{0,99}):(?: +(?!#)(.*)| +#.*)?$/i

function readMapping(reading: Reading, indent: number): unknown {
  const mapping: Record<string, unknown> = {}
  for (let line = lineAt(reading, indent); line; line = lineAt(reading, indent)) {
    const [, key, text] = entry.exec(line.text) ?? []
    if (key === undefined || Object.hasOwn(mapping, key)) return undefined
    reading.at += 1
    const value = text === undefined ? readBelow(reading, indent) : readScalar(text)
    if (value === undefined) return undefined
    mapping[key] = value
  }
  return mapping
}

/** A list may stand below its key without being indented. */
function readBelow(reading: Reading, indent: number): unknown {
  const next = reading.lines[reading.at]
  if (next === undefined) return null
  const isBelow = next.indent > indent || (next.indent === indent && isItem(next))
  return isBelow ? readBlock(reading) : null
}

const comment = '(?: +#.*)?$'
const quoted = new RegExp(`^(?:"([^"\\\\]*)"|'([^']*)')${comment}`)
const empty = new RegExp(`^(\\{\\}|\\[\\])${comment}`)
/** A colon or a blank is part of it only if more follows. */
const plain = new RegExp(
  `^((?:[\\w/.]|-(?=[\\w-]))(?:[\\w/.@+=%,()-]|[: ](?=[\\w/.@+=%,()-]))*)${comment}`,
)
const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
/** Texts that YAML takes, or might take, for something else. */
const special = /^(?:null|true|false|[-+]?\.?\d[\d.e+-]*|0[ox].*|[-+]?\.(?:inf|nan))$/i

function readScalar(text: string): unknown {
  const [, double, single = double] = quoted.exec(text) ?? []
  if (single !== undefined) return single
  const [, nothing] = empty.exec(text) ?? []
  if (nothing !== undefined) return JSON.parse(nothing)
  const [, word] = plain.exec(text) ?? []
  if (word === undefined) return undefined
  if (word === 'null') return null
  if (word === 'true' || word === 'false') return word === 'true'
  if (number.test(word)) return Number(word)
  return special.test(word) ? undefined : word
}
