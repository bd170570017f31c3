/** Why an expression does not compile, in cel-go's form; the words of syntax errors are the library's. */
import type { ParseError, TypeError } from '@marcbachmann/cel-js'

import { baseEnvironment } from './base.ts'
import { GO_MATCHES } from './strings.ts'

export function textOfCompileError(
  error: ParseError | TypeError,
  input: string,
  at?: number,
): string {
  const position = at ?? placeOf(error, input)
  const before = input.slice(0, position).split('\n')
  const lineNumber = before.length
  const column = before.at(-1)?.length ?? 0
  const line = input.split('\n')[lineNumber - 1] ?? ''
  const dots = '.'.repeat(column)
  return `ERROR: <input>:${lineNumber}:${column + 1}: ${wordsOf(error)}\n | ${line}\n | ${dots}^`
}

/** cel-go points to the operator, the dot or the parenthesis; the library to where the operand begins. */
function placeOf({ node, range }: ParseError | TypeError, input: string): number {
  const start = range?.start ?? 0
  if (!node?.op || !Array.isArray(node.args)) return start
  const { op } = node
  const args = node.args as readonly unknown[]
  if (op === '.' || op === '.?') return input.lastIndexOf('.', start)
  if (op === 'call') return input.indexOf('(', start)
  const operand = (op === 'rcall' ? args[1] : args[0]) as { readonly end?: number } | undefined
  if (operand?.end === undefined) return start
  const found = input.indexOf(op === 'rcall' ? '(' : op, operand.end)
  return found < 0 ? start : found
}

let known: ReadonlySet<string> | undefined

/** Whether there is any function of the name. */
function isFunction(name: string): boolean {
  known ??= new Set(baseEnvironment.getDefinitions().functions.map((one) => one.name))
  return known.has(name)
}

function wordsOf({ code, summary }: ParseError | TypeError): string {
  const [, name = ''] = /: (.*)$/.exec(summary) ?? []
  if (code === 'unknown_variable') return `undeclared reference to '${name}' (in container '')`
  if (code === 'no_such_key') return `undefined field '${name}'`
  if (code === 'no_such_overload') {
    const [, left, operator, right] = /: (.+) (\S+) (.+)$/.exec(summary) ?? []
    const types = `(${goType(left)}, ${goType(right)})`
    return `found no matching overload for '_${operator}_' applied to '${types}'`
  }
  const [, receiver, called, args] = /'(?:(\w+)\.)?(\w+)\((.*)\)'/.exec(summary) ?? []
  if (code === 'no_matching_overload' && called !== undefined) {
    if (!isFunction(called)) return `undeclared reference to '${called}' (in container '')`
    const given = args === undefined || args === '' ? '' : args.split(', ').map(goType).join(', ')
    const types = receiver === undefined ? `(${given})` : `${goType(receiver)}.(${given})`
    const name = called === GO_MATCHES ? 'matches' : called
    return `found no matching overload for '${name}' applied to '${types}'`
  }
  return code.includes('token') || code.includes('parse') ? `Syntax error: ${summary}` : summary
}

const goType = (name = ''): string =>
  name
    .replaceAll('<', '(')
    .replaceAll('>', ')')
    .replace(/^object\d+$/, 'object')
