/** A CRD's schema beyond its structure: keywords that do not go together, defaults, and rules. */
import { forbiddenField, required, unsupported, wrong } from '../kinds/validate/field-errors.ts'
import type { Json } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import type { RuleTree } from './cel/rules.ts'
import { growRules } from './cel/rules.ts'
import { checkDefaults } from './check-defaults.ts'
import { checkListType } from './check-list-type.ts'
import { checkStructural } from './check-structural.ts'
import { normalizePath } from './field-path.ts'
import { child, keyed, propertiesOf, type Rule, type Schema, valuesOf } from './schema.ts'

export function checkSchema(schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  if (schema.nullable) {
    errors.push(forbiddenField(child(path, 'nullable'), 'nullable cannot be true at the root'))
  }
  const structural = checkStructural(schema, path)
  const defaults = structural.length > 0 ? [] : checkDefaults(schema, path)
  const isSound = structural.length === 0 && defaults.length === 0
  const rules: FieldError[] = []
  const keywords = checkKeywords({
    schema,
    path,
    tree: isSound ? growRules(schema, true) : undefined,
    rules,
    isRoot: true,
    uncorrelated: undefined,
    noDefaults: undefined,
  })
  return [...errors, ...structural, ...defaults, ...keywords, ...rules]
}

type Node = {
  readonly schema: Schema
  readonly path: string
  /** Undefined where no rule is looked at: nothing is below, or the schema is wrong anyway. */
  readonly tree: RuleTree | undefined
  /** Complaints about rules come after all others. */
  readonly rules: FieldError[]
  readonly isRoot: boolean
  /** The list whose items no rule can compare with what they were. */
  readonly uncorrelated: string | undefined
  readonly noDefaults: string | undefined
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const unsupportedKeywords = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
]

function checkKeywords(node: Node): readonly FieldError[] {
  const { schema, path, tree } = node
  const errors: FieldError[] = []
  const at = (name: string): string => child(path, name)
  const inner = { ...node, isRoot: false }
  const { type = '' } = schema
  if (type !== '' && !types.includes(type)) errors.push(unsupported(at('type'), type, types))
  if (schema.default !== undefined && node.noDefaults !== undefined) {
    errors.push(forbiddenField(at('default'), `must not be set ${node.noDefaults}`))
  }
  for (const name of unsupportedKeywords) {
    if (name in schema) errors.push(forbiddenField(at(name), `${name} is not supported`))
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative'
    errors.push(forbiddenField(at('type'), detail))
  }
  if (schema.uniqueItems) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    errors.push(forbiddenField(at('uniqueItems'), detail))
  }
  const values = valuesOf(schema)
  if (propertiesOf(schema).length > 0 && (values || schema.additionalProperties === false)) {
    const detail = 'additionalProperties and properties are mutual exclusive'
    errors.push(forbiddenField(at('additionalProperties'), detail))
  }
  if (values) {
    const below = { schema: values, path: at('additionalProperties'), tree: tree?.values }
    errors.push(...checkKeywords({ ...inner, ...below }))
  }
  for (const [name, property] of propertiesOf(schema)) {
    const isMeta = node.isRoot && ['metadata', 'kind', 'apiVersion'].includes(name)
    errors.push(
      ...checkKeywords({
        ...inner,
        schema: property,
        path: keyed(at('properties'), name),
        tree: tree?.properties.get(name),
        noDefaults: isMeta ? `in top-level ${name}` : node.noDefaults,
      }),
    )
  }
  const nested = { ...inner, tree: undefined }
  if (schema.not) errors.push(...checkKeywords({ ...nested, schema: schema.not, path: at('not') }))
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [i, one] of (schema[name] ?? []).entries()) {
      errors.push(...checkKeywords({ ...nested, schema: one, path: keyed(at(name), i) }))
    }
  }
  if (schema.items) {
    const isKeyed = schema['x-kubernetes-list-type'] === 'map'
    errors.push(
      ...checkKeywords({
        ...inner,
        schema: schema.items,
        path: at('items'),
        tree: tree?.items,
        uncorrelated: node.uncorrelated ?? (isKeyed ? undefined : path),
      }),
    )
  }
  errors.push(...checkListType(schema, path))
  const written = schema['x-kubernetes-validations'] ?? []
  const rulePath = (i: number): string => keyed(at('x-kubernetes-validations'), i)
  errors.push(...written.flatMap((rule, i) => checkRule(rule, schema, rulePath(i))))
  if (errors.length === 0) node.rules.push(...checkCompiled(node, rulePath))
  return errors
}

const reasons = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
]

function checkRule(rule: Rule, schema: Schema, path: string): readonly FieldError[] {
  const { message = '', messageExpression = '', reason, fieldPath = '' } = rule
  const at = (name: string): string => child(path, name)
  const errors: FieldError[] = []
  const text = ((rule.rule as string | undefined) ?? '').trim()
  if (text === '') errors.push(required(at('rule'), 'rule is not specified'))
  else if (message !== '' && message.trim() === '') {
    errors.push(wrong(at('message'), message, 'must be non-empty if specified'))
  } else if (/[\n\r]/.test(message.trim())) {
    errors.push(wrong(at('message'), message, 'must not contain line breaks'))
  } else if (/[\n\r]/.test(text) && message === '') {
    const detail = 'message must be specified if rule contains line breaks'
    errors.push(required(at('message'), detail))
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified'
    errors.push(required(at('messageExpression'), detail))
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(unsupported(at('reason'), reason, reasons))
  }
  if (fieldPath !== '' && normalizePath(schema, fieldPath).fault !== undefined) {
    errors.push(wrong(at('fieldPath'), fieldPath, 'must be a valid path'))
  }
  return errors
}

function checkCompiled(
  { tree, uncorrelated }: Node,
  rulePath: (i: number) => string,
): readonly FieldError[] {
  return (tree?.rules ?? []).flatMap(({ rule, ruleFault, messageFault, usesOldSelf }, i) => {
    const errors: FieldError[] = []
    const at = (name: string): string => child(rulePath(i), name)
    if (ruleFault !== undefined) errors.push(wrong(at('rule'), inGo(rule), ruleFault))
    if (messageFault !== undefined) {
      errors.push(wrong(at('messageExpression'), inGo(rule), messageFault))
    }
    if (usesOldSelf && uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`
      errors.push(wrong(at('rule'), rule.rule, detail))
    }
    if (!usesOldSelf && ruleFault === undefined && rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule'
      errors.push(wrong(at('optionalOldSelf'), rule.optionalOldSelf, detail))
    }
    return errors
  })
}

/** The real server shows its own struct. */
const inGo = (rule: Rule): Json => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
})
