/** Expressions become programs: once, when the schema is first seen. */
import {
  ParseError,
  serialize,
  type ASTNode,
  type Environment,
  type ParseResult,
} from '@marcbachmann/cel-js'

import type { Rule, Schema } from '../schema.ts'
import { baseEnvironment } from './base.ts'
import { textOfCompileError } from './compile-error.ts'
import { GO_MATCHES } from './strings.ts'
import { declareType, type CelType } from './types.ts'

export type Variables = { readonly self: unknown; readonly oldSelf?: unknown }
type Program = (variables: Variables) => unknown

export type CompiledRule = {
  readonly rule: Rule
  readonly program?: Program
  readonly message?: Program
  readonly usesOldSelf: boolean
  /** What the CRD is refused with. */
  readonly ruleFault?: string
  readonly messageFault?: string
}

/** Undefined where expressions cannot see values of the schema. */
export function compileRules(
  schema: Schema,
  isResource: boolean,
): { readonly type: CelType; readonly rules: readonly CompiledRule[] } | undefined {
  const env = baseEnvironment.clone()
  const type = declareType(env, schema, isResource)
  if (!type) return undefined
  const plain = env
    .clone()
    .registerVariable('self', type.name)
    .registerVariable('oldSelf', type.name)
  const optional = env
    .clone()
    .registerVariable('self', type.name)
    .registerVariable('oldSelf', `optional<${type.name}>`)
  const written = schema['x-kubernetes-validations'] ?? []
  const rules = written.map((rule) => compileRule(rule, rule.optionalOldSelf ? optional : plain))
  return { type, rules }
}

function compileRule(rule: Rule, env: Environment): CompiledRule {
  // A CRD without one is refused for it; it is looked through all the same.
  if (((rule.rule as string | undefined) ?? '').trim() === '') return { rule, usesOldSelf: false }
  const compiled = compile(rule.rule, env)
  if (typeof compiled === 'string') {
    return { rule, usesOldSelf: false, ruleFault: `compilation failed: ${compiled}` }
  }
  const usesOldSelf = mentions(compiled.program.ast, 'oldSelf')
  if (compiled.type !== 'bool') {
    return { rule, usesOldSelf, ruleFault: 'cel expression must evaluate to a bool' }
  }
  const made = { rule, usesOldSelf, program: compiled.program as Program }
  if (rule.messageExpression === undefined || rule.messageExpression === '') return made
  const message = compile(rule.messageExpression, env)
  if (typeof message === 'string') {
    return { ...made, messageFault: `messageExpression compilation failed: ${message}` }
  }
  if (message.type !== 'string') {
    return { ...made, messageFault: 'messageExpression must evaluate to a string' }
  }
  return { ...made, message: message.program as Program }
}

function compile(
  text: string,
  env: Environment,
): { readonly program: ParseResult; readonly type: string } | string {
  try {
    const program = env.parse(text)
    for (const node of nodesOf(program.ast)) {
      if (node.op === 'rcall' && node.args[0] === 'matches') node.args[0] = GO_MATCHES
    }
    const { valid, type = '', error } = program.check()
    if (!valid && error) return textOfCompileError(error, text)
    for (const node of nodesOf(program.ast)) {
      const tested = testedField(node)
      const fault = tested && env.check(serialize(tested)).error
      // A variable of a surrounding macro is not known here, and its fields are not checked.
      if (tested && fault?.code === 'no_such_key') {
        return textOfCompileError(fault, text, text.lastIndexOf('(', tested.start))
      }
    }
    return { program, type }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return textOfCompileError(error, text)
  }
}

/** The argument of `has()`, whose fields the library does not check. */
function testedField(node: ASTNode): ASTNode | undefined {
  if (node.op !== 'call') return undefined
  const [name, args] = node.args
  return name === 'has' ? args[0] : undefined
}

function mentions(ast: ASTNode, name: string): boolean {
  for (const node of nodesOf(ast)) if (node.op === 'id' && node.args === name) return true
  return false
}

/** The node and all below it; macros still hold the nodes that they were written with. */
function* nodesOf(part: unknown): Generator<ASTNode> {
  if (Array.isArray(part)) for (const one of part) yield* nodesOf(one)
  else if (isNode(part)) {
    yield part
    yield* nodesOf(part.args)
  }
}

const isNode = (part: unknown): part is ASTNode =>
  typeof part === 'object' && part !== null && 'op' in part && 'args' in part
