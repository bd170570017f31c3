/**
 * A value against its schema, with the checks, their order and their words as kube-openapi has them. On an
 * update the complaints about what did not change are dropped (ratcheting): a schema that became stricter
 * does not stop other changes.
 */
import { isDeepStrictEqual } from 'node:util'

import {
  required,
  tooLong,
  tooMany,
  typeInvalid,
  unsupported,
  wrong,
} from '../kinds/validate/field-errors.ts'
import { memberOf } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { compileRegexp } from '../regexp/regexp.ts'
import { TooCostly } from '../regexp/search.ts'
import { checkNumber } from './check-number.ts'
import { matchingOld, type Old } from './correlation.ts'
import { checkOfFormat } from './formats.ts'
import { child, propertiesOf, propertyOf, type Schema, shown, typesOf, valuesOf } from './schema.ts'

/** `matches` counts checks that passed: of several alternatives that failed, the nearest is told. */
type Result = { readonly errors: FieldError[]; matches: number }

type Node = {
  readonly schema: Schema
  readonly value: Json
  /** From where the schema begins; the errors' fields have `prefix` before it. */
  readonly path: string
  readonly prefix: string
  /** What it was before, where that can be told. */
  readonly old: Old
}

export function checkValue(
  value: Json,
  schema: Schema,
  at: { readonly prefix: string; readonly old?: Old },
): readonly FieldError[] {
  return checkNode({ schema, value, path: '', prefix: at.prefix, old: at.old }).errors
}

const fieldOf = ({ path, prefix }: Node): string =>
  shown(path === '' ? prefix : child(prefix, path.replace(/^\./, '')))

/** Without the field: such errors of kube-openapi know only the schema's root. */
const composite = ({ prefix }: Node, message: string): FieldError =>
  wrong(shown(prefix), '', message)

function checkNode(node: Node): Result {
  const result = checkAgainst(node)
  if (result.errors.length > 0 && node.old && isDeepStrictEqual(node.old.value, node.value)) {
    result.errors.length = 0
  }
  return result
}

const checks: readonly ((node: Node) => Result | undefined)[] = [
  checkType,
  checkAlternatives,
  checkString,
  checkFormat,
  (node) => {
    if (typeof node.value !== 'number') return undefined
    const { schema, path, value } = node
    const found = checkNumber(value, schema, path)
    const errors = found.map(({ isOfRoot, value: shownValue = value, detail }) =>
      isOfRoot ? composite(node, detail) : wrong(fieldOf(node), shownValue, detail),
    )
    return { errors, matches: 1 }
  },
  checkList,
  checkEnum,
  checkObject,
]

function checkAgainst(node: Node): Result {
  if (node.value === null) {
    const result = failed()
    add(result, checkType(node) ?? passed())
    add(result, checkEnum(node) ?? passed(0))
    return result
  }
  const result: Result = { errors: [], matches: 0 }
  for (const check of checks) {
    const found = check(node)
    if (!found) continue
    add(result, found)
    result.matches += 1
  }
  result.matches += 1
  return result
}

const passed = (matches = 1): Result => ({ errors: [], matches })
const failed = (...errors: FieldError[]): Result => ({ errors, matches: 0 })

function add(to: Result, { errors, matches }: Result): void {
  for (const error of errors) {
    if (!to.errors.some((known) => isDeepStrictEqual(known, error))) to.errors.push(error)
  }
  to.matches += matches
}

function kindOf(value: Json): { readonly type: string; readonly format: string } {
  if (value === null) return { type: 'null', format: '' }
  if (Array.isArray(value)) return { type: 'array', format: '' }
  if (typeof value === 'number') {
    return Number.isInteger(value)
      ? { type: 'integer', format: 'int64' }
      : { type: 'number', format: 'float64' }
  }
  return { type: typeof value, format: '' }
}

/** Formats that mean nothing for the type are as if they were not written. */
function formatOf(schema: Schema): string {
  const { format = '' } = schema
  const types = typesOf(schema)
  const type = types.length === 1 ? types[0] : ''
  const isKnown =
    type === '' || type === undefined || type === 'string'
      ? checkOfFormat(format) !== undefined
      : (type === 'integer' && (format === 'int32' || format === 'int64')) ||
        (type === 'number' && (format === 'float' || format === 'double'))
  return isKnown ? format : ''
}

function checkType(node: Node): Result | undefined {
  const { schema, value, path } = node
  const types = typesOf(schema)
  const format = formatOf(schema)
  const mismatch = (wanted: string, got: string): Result =>
    failed(typeInvalid(fieldOf(node), got, `${path} in body must be of type ${wanted}: "${got}"`))
  if (value === null) {
    return types.length > 0 && !schema.nullable ? mismatch(types.join(','), 'null') : passed()
  }
  if (types.length === 0 && format === '') return undefined
  const kind = kindOf(value)
  const fits = types.includes(kind.type) || (kind.type === 'integer' && types.includes('number'))
  const isText = kind.type === 'string' || kind.type === 'array'
  if (!isText && format !== '' && !fits && kind.format !== format)
    return mismatch(format, kind.format)
  const isNumeric = types.includes('number') || types.includes('integer')
  if (!isNumeric && format !== '' && isText) return passed()
  return fits ? passed() : mismatch(types.join(','), kind.type)
}

function checkAlternatives(node: Node): Result {
  const { schema, path } = node
  const result: Result = { errors: [], matches: 0 }
  const against = (alternative: Schema): Result => checkAgainst({ ...node, schema: alternative })
  const say = (message: string): void =>
    add(result, failed(composite(node, `"${path}" ${message}`)))

  if (schema.anyOf && schema.anyOf.length > 0) {
    const results = schema.anyOf.map(against)
    const valid = results.find(({ errors }) => errors.length === 0)
    if (!valid) say('must validate at least one schema (anyOf)')
    add(result, valid ?? nearest(results))
  }
  if (schema.oneOf && schema.oneOf.length > 0) {
    const results = schema.oneOf.map(against)
    const valid = results.filter(({ errors }) => errors.length === 0)
    const [only] = valid
    if (valid.length === 1 && only) add(result, only)
    else {
      const found = only ? `Found ${valid.length} valid alternatives` : 'Found none valid'
      say(`must validate one and only one schema (oneOf). ${found}`)
      if (!only) add(result, nearest(results))
    }
  }
  if (schema.allOf && schema.allOf.length > 0) {
    const results = schema.allOf.map(against)
    for (const found of results) add(result, found)
    const valid = results.filter(({ errors }) => errors.length === 0).length
    if (valid !== results.length) {
      say(`must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`)
    }
  }
  if (schema.not && against(schema.not).errors.length === 0)
    say('must not validate the schema (not)')
  result.matches += 1
  return result
}

const nearest = (results: readonly Result[]): Result =>
  results.reduce((best, next) => (next.matches > best.matches ? next : best))

function checkString(node: Node): Result | undefined {
  const { schema, value, path } = node
  if (typeof value !== 'string') return undefined
  const length = Array.from(value).length
  const invalid = (detail: string): Result =>
    failed(wrong(fieldOf(node), value, `${path} in body ${detail}`))
  const { maxLength, minLength, pattern } = schema
  if (maxLength !== undefined && length > maxLength)
    return failed(tooLong(fieldOf(node), maxLength))
  if (minLength !== undefined && length < minLength) {
    return invalid(`should be at least ${minLength} chars long`)
  }
  const mismatch = pattern === undefined || pattern === '' ? '' : mismatchOf(pattern, value)
  if (mismatch !== '') return invalid(mismatch)
  return passed(0)
}

/** '' if it matches. */
function mismatchOf(pattern: string, value: string): string {
  try {
    return compileRegexp(pattern).test(value) ? '' : `should match '${pattern}'`
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return `is too long to be matched against '${pattern}'`
  }
}

function checkFormat(node: Node): Result | undefined {
  const { schema, value, path } = node
  const check = checkOfFormat(formatOf(schema))
  if (typeof value !== 'string' || !check) return undefined
  if (check(value)) return passed(0)
  const detail = `${path} in body must be of type ${schema.format}: ${JSON.stringify(value)}`
  return failed(typeInvalid(fieldOf(node), value, detail))
}

function checkList(node: Node): Result | undefined {
  const { schema, value, path } = node
  if (!Array.isArray(value)) return undefined
  const list = value as readonly Json[]
  const result = passed()
  const { items, minItems, maxItems } = schema
  if (items) {
    for (const [i, item] of list.entries()) {
      const old = matchingOld(node.old, schema, { index: i, item })
      add(result, checkNode({ ...node, schema: items, value: item, path: `${path}[${i}]`, old }))
    }
  }
  const field = fieldOf(node)
  if (minItems !== undefined && list.length < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`
    add(result, failed(wrong(field, list.length, detail)))
  }
  if (maxItems !== undefined && list.length > maxItems) {
    add(result, failed(tooMany(field, list.length, maxItems)))
  }
  return result
}

function checkEnum(node: Node): Result | undefined {
  const { schema, value } = node
  if (!schema.enum || schema.enum.length === 0) return passed(0)
  if (value !== null && schema.enum.some((allowed) => isDeepStrictEqual(allowed, value)))
    return passed(0)
  const texts = schema.enum.map((allowed) =>
    typeof allowed === 'string' ? allowed : JSON.stringify(allowed),
  )
  return failed(unsupported(fieldOf(node), value, texts))
}

function checkObject(node: Node): Result | undefined {
  const { schema, value, path } = node
  if (!isJsonObject(value)) return undefined
  const result: Result = { errors: [], matches: 0 }
  checkSize(node, value, result)
  const values = valuesOf(schema)
  const checkField = (name: string, of: Schema, fieldPath: string): void => {
    const found = memberOf(value, name)
    if (found === undefined) return
    // Both sides of an update are converted to one version: its type has no old value.
    const isType = path === '' && node.prefix === '' && (name === 'apiVersion' || name === 'kind')
    const old = isType ? undefined : matchingOld(node.old, schema, { key: name })
    add(result, checkNode({ ...node, schema: of, value: found, path: fieldPath, old }))
  }
  if (values) {
    for (const name of Object.keys(value)) {
      if (propertyOf(schema, name) === undefined) checkField(name, values, `${path}.${name}`)
    }
  } else if (schema.additionalProperties === false) {
    for (const name of Object.keys(value)) {
      if (propertyOf(schema, name) !== undefined) continue
      const detail = `${path}.${name} in body is a forbidden property`
      add(result, failed(wrong(fieldOf(node), name, detail)))
    }
  }
  for (const [name, of] of propertiesOf(schema)) checkField(name, of, child(path, name))
  for (const name of schema.required ?? []) {
    if (memberOf(value, name) === undefined) {
      add(result, failed(required(fieldOf({ ...node, path: `${path}.${name}` }))))
    }
  }
  return result
}

function checkSize(node: Node, value: JsonObject, result: Result): void {
  const { minProperties, maxProperties } = node.schema
  const count = Object.keys(value).length
  if (minProperties !== undefined && count < minProperties) {
    const detail = `${node.path} in body should have at least ${minProperties} properties`
    add(result, failed(wrong(fieldOf(node), count, detail)))
  }
  if (maxProperties !== undefined && count > maxProperties) {
    add(result, failed(tooMany(fieldOf(node), count, maxProperties)))
  }
}
