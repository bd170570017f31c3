/** The rules of a schema (`x-kubernetes-validations`) at every level, and an object held to them. */
import { isDeepStrictEqual } from 'node:util'

import { Optional } from '@marcbachmann/cel-js'

import { duplicate, forbiddenField, required, wrong } from '../../kinds/validate/field-errors.ts'
import { isJsonObject, type Json } from '../../object.ts'
import type { FieldError } from '../../refusal.ts'
import { matchingOld, type Old } from '../correlation.ts'
import { normalizePath } from '../field-path.ts'
import { child, keyed, propertiesOf, type Rule, type Schema, shown, valuesOf } from '../schema.ts'
import { compileRules, type CompiledRule, type Variables } from './compile.ts'
import { bounded, MOST_PER_CALL, MOST_PER_OBJECT, OverBudget } from './cost.ts'
import { textOfFault } from './fault.ts'
import type { CelType } from './types.ts'

/** A place of the schema with rules on it or below it. */
export type RuleTree = {
  readonly schema: Schema
  readonly type?: CelType
  readonly rules: readonly CompiledRule[]
  readonly properties: ReadonlyMap<string, RuleTree>
  readonly values?: RuleTree
  readonly items?: RuleTree
}

/** By the schema itself: schemas never change, and both the check of the CRD and its types need them. */
const grown = new WeakMap<Schema, RuleTree | null>()

export function growRules(schema: Schema, isResource: boolean): RuleTree | undefined {
  const known = grown.get(schema)
  if (known !== undefined) return known ?? undefined
  const tree = growNode(schema, isResource)
  grown.set(schema, tree ?? null)
  return tree
}

function growNode(schema: Schema, isResource: boolean): RuleTree | undefined {
  const below = (of: Schema | undefined): RuleTree | undefined =>
    of && growNode(of, of['x-kubernetes-embedded-resource'] ?? false)
  const properties = new Map<string, RuleTree>()
  for (const [name, property] of propertiesOf(schema)) {
    const tree = below(property)
    if (tree) properties.set(name, tree)
  }
  const values = below(valuesOf(schema))
  const items = below(schema.items)
  const compiled = schema['x-kubernetes-validations']?.length
    ? compileRules(schema, isResource)
    : undefined
  if (!compiled && properties.size === 0 && !values && !items) return undefined
  return {
    schema,
    ...(compiled && { type: compiled.type }),
    rules: compiled?.rules ?? [],
    properties,
    ...(values && { values }),
    ...(items && { items }),
  }
}

type Place = {
  readonly value: Json
  readonly path: string
  readonly old: Old
  /** It, or the nearest that can be compared above it, is as it was: old faults may stay. */
  readonly isUnchanged: boolean
  /** What is left for all rules of the object; below 0 none runs any more. */
  readonly budget: Budget
}

type Budget = { left: number }

/** Fields are told from `path` on. */
export function runRules(
  tree: RuleTree,
  value: Json,
  { old, path = '' }: { readonly old?: Old; readonly path?: string } = {},
): readonly FieldError[] {
  const budget = { left: MOST_PER_OBJECT }
  return runNode(tree, { value, path, old, isUnchanged: isSame(old, value), budget })
}

const isSame = (old: Old, value: Json): boolean =>
  old !== undefined && isDeepStrictEqual(old.value, value)

function runNode(tree: RuleTree, place: Place): readonly FieldError[] {
  const { value, path, old } = place
  if (value === null) return []
  const step = (part: Json, partPath: string, partOld: Old): Place => ({
    value: part,
    path: partPath,
    old: partOld,
    isUnchanged: partOld ? isSame(partOld, part) : place.isUnchanged,
    budget: place.budget,
  })
  const errors = [...runHere(tree, place)]
  const { items, values, properties, schema } = tree
  if (Array.isArray(value) && items) {
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const partOld = matchingOld(old, schema, { index, item })
      errors.push(...runNode(items, step(item, keyed(path, index), partOld)))
    }
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value).toSorted()) {
      const below = values ?? properties.get(key)
      const part = value[key]
      if (!below || part === undefined) continue
      const partPath = values ? keyed(path, key) : child(path, key)
      errors.push(...runNode(below, step(part, partPath, matchingOld(old, schema, { key }))))
    }
  }
  return errors
}

function runHere({ schema, type, rules }: RuleTree, place: Place): readonly FieldError[] {
  if (!type || rules.length === 0 || place.budget.left < 0) return []
  const { value, path, old, budget } = place
  const self = type.from(value)
  const oldSelf = old && old.value !== null ? type.from(old.value) : undefined
  return rules.flatMap((compiled) => {
    const { rule, usesOldSelf, program } = compiled
    if (budget.left < 0) return []
    if (!program || (usesOldSelf && oldSelf === undefined && !rule.optionalOldSelf)) return []
    const plain = { self, ...(oldSelf !== undefined && { oldSelf }) }
    const variables = rule.optionalOldSelf ? { self, oldSelf: Optional.of(oldSelf) } : plain
    let holds: unknown
    try {
      holds = charge(budget, () => program(variables))
    } catch (error) {
      if (error instanceof OverBudget) {
        const isSpent = budget.left < MOST_PER_CALL
        budget.left = -1
        return [wrong(shown(path), schema.type ?? '', overBudget(error, rule, isSpent))]
      }
      return [wrong(shown(path), schema.type ?? '', faultOf(textOfFault(error), rule))]
    }
    if (holds === true || (!usesOldSelf && place.isUnchanged)) return []
    const isPlain = schema.type !== 'object' && schema.type !== 'array'
    const field = fieldOf(schema, rule, path)
    return [
      complain(rule, {
        field,
        value: isPlain ? value : undefined,
        detail: messageOf(compiled, plain, budget),
      }),
    ]
  })
}

function charge(budget: Budget, run: () => unknown): unknown {
  const { value, cost } = bounded(Math.min(MOST_PER_CALL, budget.left), run)
  budget.left -= cost
  return value
}

/** `isSpent`: it was not this rule alone. */
const overBudget = (error: OverBudget, rule: Rule, isSpent: boolean): string =>
  isSpent
    ? 'validation failed due to running out of cost budget, no further validation rules will be run'
    : `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${wordsOf(rule)}`

const wordsOf = ({ rule, message = '' }: Rule): string => (message === '' ? rule : message).trim()

const faultOf = (text: string, rule: Rule): string =>
  text === 'no such overload'
    ? `'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${wordsOf(rule)}`
    : `${text} evaluating rule: ${wordsOf(rule)}`

function fieldOf(schema: Schema, { fieldPath = '' }: Rule, path: string): string {
  const below = fieldPath === '' ? undefined : normalizePath(schema, fieldPath)
  return shown(below?.path === undefined ? path : child(path, below.path))
}

const MAX_MESSAGE = 5 * 1024

function messageOf({ rule, message }: CompiledRule, variables: Variables, budget: Budget): string {
  const { message: written = '' } = rule
  const otherwise = written === '' ? `failed rule: ${rule.rule.trim()}` : written.trim()
  if (!message) return otherwise
  try {
    const made = charge(budget, () => message(variables))
    const text = typeof made === 'string' ? made.trim() : ''
    const isFit = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE
    return isFit ? text : otherwise
  } catch (error) {
    textOfFault(error) // only to let errors of our own through
    return otherwise
  }
}

function complain(
  { reason }: Rule,
  {
    field,
    value,
    detail,
  }: { readonly field: string; readonly value: Json | undefined; readonly detail: string },
): FieldError {
  if (reason === 'FieldValueForbidden') return forbiddenField(field, detail)
  if (reason === 'FieldValueRequired') return required(field, detail)
  if (reason === 'FieldValueDuplicate') return duplicate(field, value)
  return wrong(field, value, detail)
}
