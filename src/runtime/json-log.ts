/**
 * Log lines as JSON, one a line: time, level, msg, then the fields. Never throws: a field that JSON
 * cannot carry is written as text. Warnings and errors that repeat are counted (count-repeats.ts).
 */
import { visibleJson } from '../core/visible.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log, LogLevel } from '../ports/log.ts'
import { countRepeats } from './count-repeats.ts'

export type JsonLogOptions = {
  /** Receives a line with its end, such as `(line) => process.stderr.write(line)`. */
  readonly write: (line: string) => void
  readonly clock: Pick<Clock, 'now' | 'wall'>
  /** What is below it is not written. */
  readonly level: LogLevel
}

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

export function jsonLog({ write, clock, level }: JsonLogOptions): Log {
  const least = logLevels.indexOf(level)
  const log: Log = (level, message, fields) => {
    const own = { time: new Date(clock.wall()).toISOString(), level, msg: message }
    write(`${visibleJson(toJson({ ...own, ...fields, ...own }))}\n`)
  }
  const counting = countRepeats(log, clock)
  return (level, message, fields) => {
    if (logLevels.indexOf(level) >= least) counting(level, message, fields)
  }
}

function toJson(line: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(line, readable)
  } catch {
    // A cycle, or a toJSON that throws.
    const texts = Object.entries(line).map(([key, value]) => [key, textOf(value)])
    return JSON.stringify(Object.fromEntries(texts))
  }
}

function readable(_key: string, value: unknown): unknown {
  if (value instanceof Error) return errorFields(value)
  return typeof value === 'bigint' ? String(value) : value
}

/** The names of errors that are a mistake in the program, where only the stack helps. */
const mistakes = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'])

/** `JSON.stringify` comes back to the cause, so that the whole chain is written. */
const errorFields = ({ name, message, cause, stack }: Error) => ({
  message,
  ...(mistakes.has(name) && { stack }),
  ...(cause !== undefined && { cause }),
})

function textOf(value: unknown): unknown {
  try {
    return value instanceof Error ? value.message : JSON.parse(JSON.stringify(value, readable))
  } catch {
    return Object.prototype.toString.call(value)
  }
}
