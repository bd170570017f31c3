/** Go's regular expressions (RE2), as a tree; what Go does not take is refused in Go's words. */
import {
  anyOf,
  type CharSet,
  folded,
  inRanges,
  LAST_POINT,
  not,
  only,
  perlClasses,
  posixClasses,
  type Range,
  unicodeClass,
} from './characters.ts'

export type Node =
  | { readonly is: 'set'; readonly set: CharSet }
  | { readonly is: 'assert'; readonly what: Assertion }
  | { readonly is: 'all' | 'any'; readonly of: readonly Node[] }
  | {
      readonly is: 'repeat'
      readonly of: Node
      readonly least: number
      /** Infinity for no end. */
      readonly most: number
      readonly lazy: boolean
    }
export type Assertion = 'start' | 'end' | 'line start' | 'line end' | 'boundary' | 'no boundary'

/** As in Go. */
const MOST_REPEATS = 1000
const DEEPEST = 1000

type Flags = { readonly i: boolean; readonly m: boolean; readonly s: boolean; readonly U: boolean }
type Reading = { readonly text: string; at: number; depth: number; flags: Flags }

export function parseRegexp(text: string): Node {
  const reading: Reading = {
    text,
    at: 0,
    depth: 0,
    flags: { i: false, m: false, s: false, U: false },
  }
  const node = readAlternatives(reading)
  if (reading.at < text.length) throw fault('unexpected )', text)
  if (repeatsIn(node) > MOST_REPEATS) {
    const counts = text.match(/\{\d+(?:,\d*)?\}/g)
    throw fault('invalid repeat count', counts?.at(-1) ?? text)
  }
  return node
}

const fault = (what: string, where: string): SyntaxError => new SyntaxError(`${what}: \`${where}\``)

const peek = ({ text, at }: Reading): string => text[at] ?? ''

function readAlternatives(reading: Reading): Node {
  if (reading.depth > DEEPEST) throw fault('expression nests too deeply', reading.text)
  const { flags } = reading // a flag that is set inside a group ends with it
  const branches = [readSequence(reading)]
  while (peek(reading) === '|') {
    reading.at += 1
    branches.push(readSequence(reading))
  }
  reading.flags = flags
  return branches.length === 1 && branches[0] ? branches[0] : { is: 'any', of: branches }
}

function readSequence(reading: Reading): Node {
  const of: Node[] = []
  while (reading.at < reading.text.length && !'|)'.includes(peek(reading))) {
    // After what only sets flags, an operator is for what is before it.
    const atoms = operatorAt(reading) === '' ? readAtoms(reading) : []
    const last = atoms.pop() ?? of.pop()
    of.push(...atoms)
    if (last) of.push(readRepeats(last, reading))
    else if (operatorAt(reading) !== '') {
      throw fault('missing argument to repetition operator', operatorAt(reading))
    }
  }
  return { is: 'all', of }
}

const operatorAt = ({ text, at }: Reading): string =>
  /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(text.slice(at, at + 12))?.[0] ?? ''

function readRepeats(of: Node, reading: Reading): Node {
  const operator = operatorAt(reading)
  if (operator === '') return of
  reading.at += operator.length
  const again = operatorAt(reading)
  if (again !== '') throw fault('invalid nested repetition operator', operator + again)
  const [least, most] = countsOf(operator.replace(/(.)\?$/, '$1'))
  if (least > MOST_REPEATS || (most !== Infinity && most > MOST_REPEATS) || least > most) {
    throw fault('invalid repeat count', operator)
  }
  const lazy = (operator.length > 1 && operator.endsWith('?')) !== reading.flags.U
  return { is: 'repeat', of, least, most, lazy }
}

function countsOf(operator: string): readonly [number, number] {
  if (operator === '*') return [0, Infinity]
  if (operator === '+') return [1, Infinity]
  if (operator === '?') return [0, 1]
  const [, least = '', comma, most = ''] = /^\{(\d+)(,)?(\d*)\}$/.exec(operator) ?? []
  if (comma === undefined) return [Number(least), Number(least)]
  return [Number(least), most === '' ? Infinity : Number(most)]
}

/** How often the innermost is there in all: `(a{10}){20}` has it 200 times. */
function repeatsIn(node: Node): number {
  if (node.is === 'repeat') {
    const own = node.most === Infinity ? Math.max(1, node.least) : Math.max(1, node.most)
    return own * repeatsIn(node.of)
  }
  // Not by arguments: there may be more than the stack holds.
  return node.is === 'all' || node.is === 'any'
    ? node.of.reduce((most, one) => Math.max(most, repeatsIn(one)), 1)
    : 1
}

const assertion = (what: Assertion): Node => ({ is: 'assert', what })

/** None for what only sets flags, several for a quoted text. */
function readAtoms(reading: Reading): Node[] {
  const { text, at, flags } = reading
  if (!text.startsWith('\\Q', at)) {
    const atom = readAtom(reading)
    return atom ? [atom] : []
  }
  const end = text.indexOf('\\E', at)
  const quoted = text.slice(at + 2, end < 0 ? text.length : end)
  reading.at = end < 0 ? text.length : end + 2
  return Array.from(quoted, (sign) => literal(sign.codePointAt(0) ?? 0, flags))
}

function readAtom(reading: Reading): Node | undefined {
  const { text, flags } = reading
  const sign = peek(reading)
  if (sign === '(') return readGroup(reading)
  if (sign === '[') return { is: 'set', set: readClass(reading) }
  if (sign === '\\') return readEscape(reading)
  const point = text.codePointAt(reading.at) ?? 0
  reading.at += String.fromCodePoint(point).length
  if (sign === '^') return assertion(flags.m ? 'line start' : 'start')
  if (sign === '$') return assertion(flags.m ? 'line end' : 'end')
  if (sign === '.') return { is: 'set', set: flags.s ? anything : notNewline }
  return literal(point, flags)
}

const anything = inRanges([[0, LAST_POINT]])
const notNewline = not(inRanges([[10, 10]]))
const inCase = (set: CharSet, { i }: Flags): CharSet => (i ? folded(set) : set)
/** Cases are made equal before what is in it is left out. */
const negated = (set: CharSet, at: { readonly isNot: boolean; readonly flags: Flags }): CharSet =>
  at.isNot ? not(inCase(set, at.flags)) : inCase(set, at.flags)
const literal = (point: number, flags: Flags): Node => ({
  is: 'set',
  set: inCase(only(point), flags),
})

function readGroup(reading: Reading): Node | undefined {
  const { text, at } = reading
  const rest = text.slice(at, at + 300)
  const opening = /^\((?!\?)|^\(\?:|^\(\?P?<(\w+)>|^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest)
  if (opening === null || opening[0] === '(?)') {
    if (/^\(\?P?</.test(rest))
      throw fault('invalid named capture', /^[^>]*>?/.exec(text.slice(at))?.[0] ?? '')
    throw fault('invalid or unsupported Perl syntax', /^\(\?.?/s.exec(rest)?.[0] ?? rest)
  }
  const [whole, , on = '', off = '', end] = opening
  reading.at += whole.length
  const { flags } = reading
  const set = Object.fromEntries(Array.from(on, (flag) => [flag, true]))
  const unset = Object.fromEntries(Array.from(off, (flag) => [flag, false]))
  reading.flags = { ...flags, ...set, ...unset }
  if (end === ')') return undefined
  reading.depth += 1
  const node = readAlternatives(reading)
  reading.depth -= 1
  reading.flags = flags
  if (peek(reading) !== ')') throw fault('missing closing )', text)
  reading.at += 1
  return node
}

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }
const assertions = new Map<string, Assertion>([
  ['A', 'start'],
  ['z', 'end'],
  ['b', 'boundary'],
  ['B', 'no boundary'],
])

function readEscape(reading: Reading): Node {
  const { text, at, flags } = reading
  const what = assertions.get(text[at + 1] ?? '')
  if (what !== undefined) {
    reading.at += 2
    return assertion(what)
  }
  const set = readEscapedSet(reading)
  if (set) return { is: 'set', set }
  return literal(readEscapedPoint(reading), flags)
}

/** `\d`, `\pL`, `\P{Greek}`; nothing is read if it is none. */
function readEscapedSet(reading: Reading): CharSet | undefined {
  const { text, at, flags } = reading
  const name = text[at + 1] ?? ''
  const perl = perlClasses.get(name.toLowerCase())
  if (perl) {
    reading.at += 2
    return negated(perl, { isNot: /[A-Z]/.test(name), flags })
  }
  const named = /^\\([pP])(?:\{(\^?)([^}]*)\}|(.))/su.exec(text.slice(at, at + 60))
  if (!named) return undefined
  const [whole, sign, circumflex = '', long, short] = named
  const set = unicodeClass(long ?? short ?? '')
  if (!set) throw fault('invalid character class range', whole)
  reading.at += whole.length
  return negated(set, { isNot: (sign === 'P') !== (circumflex === '^'), flags })
}

function readEscapedPoint(reading: Reading): number {
  const rest = reading.text.slice(reading.at, reading.at + 12)
  if (rest === '\\') throw fault('trailing backslash at end of expression', '')
  const found =
    /^\\(?:x\{([0-9A-Fa-f]{1,8})\}|x([0-9A-Fa-f]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2})|([aftnrv])|([!-/:-@[-`{-~]))/.exec(
      rest,
    )
  const [whole, long, short, octal, control, plain] = found ?? []
  const point =
    plain?.charCodeAt(0) ??
    controls[control ?? ''] ??
    (octal === undefined ? Number.parseInt(long ?? short ?? '', 16) : Number.parseInt(octal, 8))
  if (whole === undefined || !(point <= LAST_POINT)) {
    throw fault(
      'invalid escape sequence',
      Array.from(rest)
        .slice(0, rest.startsWith('\\x') ? 4 : 2)
        .join(''),
    )
  }
  reading.at += whole.length
  return point
}

function readClass(reading: Reading): CharSet {
  const { text, at: start, flags } = reading
  reading.at += 1
  const isNot = peek(reading) === '^'
  if (isNot) reading.at += 1
  const sets: CharSet[] = []
  const ranges: Range[] = []
  // A bracket that comes first stands for itself.
  for (let isFirst = true; isFirst || peek(reading) !== ']'; isFirst = false) {
    if (reading.at >= text.length) throw fault('missing closing ]', text.slice(start))
    const set = readPosix(reading) ?? (peek(reading) === '\\' ? readEscapedSet(reading) : undefined)
    if (set) sets.push(set)
    else ranges.push(readRange(reading))
  }
  reading.at += 1
  const all = anyOf([...sets, inRanges(ranges)])
  return negated(all, { isNot, flags })
}

function readPosix(reading: Reading): CharSet | undefined {
  const named = /^\[:(\^?)(\w+):\]/.exec(reading.text.slice(reading.at, reading.at + 20))
  if (!named) return undefined
  const [whole, circumflex, name = ''] = named
  const set = posixClasses.get(name)
  if (!set) throw fault('invalid character class range', whole)
  reading.at += whole.length
  return negated(set, { isNot: circumflex === '^', flags: reading.flags })
}

function readRange(reading: Reading): Range {
  const { text, at } = reading
  const from = readClassPoint(reading)
  if (peek(reading) !== '-' || text[reading.at + 1] === ']' || reading.at + 1 >= text.length) {
    return [from, from]
  }
  reading.at += 1
  const to = readClassPoint(reading)
  if (to < from) throw fault('invalid character class range', text.slice(at, reading.at))
  return [from, to]
}

function readClassPoint(reading: Reading): number {
  if (peek(reading) === '\\') return readEscapedPoint(reading)
  const point = reading.text.codePointAt(reading.at)
  if (point === undefined) throw fault('missing closing ]', reading.text)
  reading.at += String.fromCodePoint(point).length
  return point
}
