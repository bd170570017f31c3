/** What goes wrong while an expression runs, in cel-go's words. */
import { EvaluationError, type ASTNode } from '@marcbachmann/cel-js'

import { TooCostly } from '../../regexp/search.ts'

/** Thrown by our own functions; the message is cel-go's. */
export class CelFault extends Error {
  override readonly name = 'CelFault'
}

const conversions: Readonly<Record<string, string>> = {
  int_conversion_error: "type conversion error from 'string' to 'int'",
  uint_conversion_error: "type conversion error from 'string' to 'uint'",
  double_conversion_error: "type conversion error from 'string' to 'double'",
  bool_conversion_error: "type conversion error from 'string' to 'bool'",
  invalid_timestamp: "type conversion error from 'string' to 'google.protobuf.Timestamp'",
  invalid_duration: "type conversion error from 'string' to 'google.protobuf.Duration'",
  optional_value_missing: 'optional.none() dereference',
  division_by_zero: 'division by zero',
  modulo_by_zero: 'modulus by zero',
  numeric_overflow: 'integer overflow',
  no_such_overload: 'no such overload',
  no_matching_overload: 'no such overload',
  invalid_logical_operand: 'no such overload',
  invalid_condition_type: 'no such overload',
  field_type_mismatch: 'no such overload',
}

export function textOfFault(error: unknown): string {
  if (error instanceof CelFault || error instanceof TooCostly) return error.message
  // JavaScript's own, where a dynamic value reached a function in a type that it does not take.
  if (error instanceof TypeError) return 'no such overload'
  if (!(error instanceof EvaluationError)) throw error
  const [, key] = /^No such key: (?!index out)(.*)$/s.exec(error.summary) ?? []
  if (key !== undefined) return `no such key: ${key}`
  const [, index] = /index out of bounds, index (-?\d+)/.exec(error.summary) ?? []
  if (index !== undefined) return `index out of bounds: ${index}`
  if (error.code === 'index_out_of_range') return `index out of range: ${indexIn(error.node)}`
  return conversions[error.code] ?? error.summary
}

/** The library does not tell the index; a literal one can be read from the call. */
function indexIn(node: ASTNode | undefined): string {
  if (node?.op !== 'rcall') return ''
  const [, , args] = node.args
  const found = args.findLast(({ op }) => op === 'value')
  return found?.op === 'value' ? String(found.args) : ''
}
