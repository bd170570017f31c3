import { checkLabelValue, checkQualifiedName } from '../kinds/validate/names.ts'
/**
 * Label selectors as text: `team in (a,b),!old,size>3`. What cannot be read is refused in the real
 * server's words.
 */
import { memberOf } from '../members.ts'
import { badRequest, type Refusal } from '../refusal.ts'
import { readTokens, type Token, type Tokens } from './tokens.ts'

type Labels = Readonly<Record<string, string>> | undefined
type LabelTest = (labels: Labels) => boolean

/** Undefined for an empty selector, which all objects match. */
export function parseLabelSelector(text: string): LabelTest | undefined {
  const tokens = readTokens(text)
  const tests: LabelTest[] = []
  if (tokens.peek().kind === 'end') return undefined
  if (!beginsRequirement(tokens.peek())) {
    throw found(tokens.peek(), ", expected: !, identifier, or 'end of string'")
  }
  for (;;) {
    tests.push(readRequirement(tokens))
    const token = tokens.take()
    if (token.kind === 'end') break
    if (token.text !== ',') throw found(token, ", expected: ',' or 'end of string'")
    if (!beginsRequirement(tokens.peek())) {
      throw found(tokens.peek(), ", expected: identifier after ','")
    }
  }
  return (labels) => tests.every((matches) => matches(labels))
}

const beginsRequirement = ({ kind, text }: Token): boolean => kind === 'word' || text === '!'

const found = ({ text }: Token, expected: string, prefix = ''): Refusal =>
  badRequest(`${prefix}found '${text}'${expected}`)
const unreadable = 'unable to parse requirement: '

const endsRequirement = ({ kind, text }: Token): boolean => kind === 'end' || text === ','

function readRequirement(tokens: Tokens): LabelTest {
  const absent = tokens.peek().text === '!'
  if (absent) tokens.take()
  const word = tokens.take()
  if (word.kind !== 'word') throw found(word, ', expected: identifier', unreadable)
  const key = word.text
  for (const detail of checkQualifiedName(key)) {
    throw badRequest(`${unreadable}<nil>: Invalid value: ${JSON.stringify(key)}: ${detail}`)
  }
  if (absent) return (labels) => memberOf(labels ?? {}, key) === undefined
  if (endsRequirement(tokens.peek())) {
    return (labels) => memberOf(labels ?? {}, key) !== undefined
  }
  const operator = tokens.take()
  switch (operator.text) {
    case '=':
    case '==':
    case 'in':
      return oneOf(key, readValues(tokens, operator))
    case '!=':
    case 'notin': {
      const within = oneOf(key, readValues(tokens, operator))
      return (labels) => !within(labels)
    }
    case '>':
    case '<':
      return beyond(key, operator.text, readValues(tokens, operator)[0] ?? '')
    default:
      throw found(operator, ', expected: in, notin, =, ==, !=, gt, lt', unreadable)
  }
}

function oneOf(key: string, values: readonly string[]): LabelTest {
  for (const [index, value] of values.entries()) {
    for (const detail of checkLabelValue(value)) {
      throw badRequest(
        `${unreadable}values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${detail}`,
      )
    }
  }
  const wanted = new Set(values)
  return (labels) => {
    const value = memberOf(labels ?? {}, key)
    return value !== undefined && wanted.has(value)
  }
}

const integer = /^[+-]?\d+$/

function beyond(key: string, operator: '>' | '<', bound: string): LabelTest {
  if (!integer.test(bound)) {
    throw badRequest(
      `${unreadable}values[0]: Invalid value: ${JSON.stringify(bound)}: for 'Gt', 'Lt' operators, the value must be an integer`,
    )
  }
  const limit = Number(bound)
  return (labels) => {
    const value = memberOf(labels ?? {}, key) ?? ''
    if (!integer.test(value)) return false
    return operator === '>' ? Number(value) > limit : Number(value) < limit
  }
}

function readValues(tokens: Tokens, { text }: Token): readonly string[] {
  return text === 'in' || text === 'notin' ? readSet(tokens) : [readValue(tokens)]
}

function readValue(tokens: Tokens): string {
  if (endsRequirement(tokens.peek())) return ''
  const token = tokens.take()
  if (token.kind !== 'word') throw found(token, ', expected: identifier', unreadable)
  return token.text
}

/** An empty place between commas is the empty value. */
function readSet(tokens: Tokens): readonly string[] {
  const open = tokens.take()
  if (open.text !== '(') throw found(open, " expected: '('", unreadable)
  const first = tokens.peek()
  if (first.kind !== 'word' && first.text !== ',' && first.text !== ')') {
    throw found(first, ", expected: ',', ')' or identifier", unreadable)
  }
  const values: string[] = []
  for (;;) {
    values.push(tokens.peek().kind === 'word' ? tokens.take().text : '')
    const after = tokens.take()
    if (after.text === ')') return values
    if (after.text !== ',') throw found(after, ", expected: ',' or ')'", unreadable)
  }
}
