/** Whether a schema is structural: every field has its type, and alternatives only narrow values. */
import { isDeepStrictEqual } from 'node:util'

import { forbiddenField, required, wrong } from '../kinds/validate/field-errors.ts'
import { textOf, type FieldError } from '../refusal.ts'
import { faultOfRegexp } from '../regexp/regexp.ts'
import { child, keyed, propertiesOf, propertyOf, type Schema, valuesOf } from './schema.ts'

type Level = 'root' | 'item' | 'field'

/** Sorted by their text, as the real server has them. */
export function checkStructural(schema: Schema, path: string): readonly FieldError[] {
  const errors = [...checkNode(schema, path, 'root'), ...checkComplete(schema, path)]
  const textsOf = (error: FieldError): string => `${error.field}: ${textOf(error)}`
  return errors.toSorted((a, b) => (textsOf(a) < textsOf(b) ? -1 : Number(textsOf(a) > textsOf(b))))
}

const propertyPath = (path: string, name: string): string => keyed(child(path, 'properties'), name)

const untyped: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function checkNode(schema: Schema, path: string, level: Level): readonly FieldError[] {
  const values = valuesOf(schema)
  const errors: FieldError[] = []
  if (schema.type === 'array' && !schema.items) {
    errors.push(required(child(path, 'items'), 'must be specified'))
  }
  if (schema.items) errors.push(...checkNode(schema.items, child(path, 'items'), 'item'))
  for (const [name, property] of propertiesOf(schema)) {
    errors.push(...checkNode(property, propertyPath(path, name), 'field'))
  }
  const isMap = schema.additionalProperties !== undefined
  if (isMap && level === 'root') {
    errors.push(forbiddenField(child(path, 'additionalProperties'), 'must not be used at the root'))
  }
  if (values) errors.push(...checkNode(values, child(path, 'additionalProperties'), 'field'))
  if (schema['x-kubernetes-int-or-string']) {
    for (const name of ['preserve-unknown-fields', 'embedded-resource'] as const) {
      if (!schema[`x-kubernetes-${name}`]) continue
      const detail = 'must be false if x-kubernetes-int-or-string is true'
      errors.push(wrong(child(path, `x-kubernetes-${name}`), true, detail))
    }
  }
  errors.push(...checkJunctors(schema, path, intOrStringParts(schema)))
  errors.push(...checkTypeOf(schema, path, level))
  errors.push(...checkMeta(schema, path, level))
  return errors
}

function checkTypeOf(schema: Schema, path: string, level: Level): readonly FieldError[] {
  const { type = '' } = schema
  const isEmbedded = schema['x-kubernetes-embedded-resource'] ?? false
  const isFree = schema['x-kubernetes-preserve-unknown-fields'] ?? false
  const typePath = child(path, 'type')
  const errors: FieldError[] = []
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type === '' ? required(typePath, detail) : wrong(typePath, type, detail))
  } else if (type === '' && !schema['x-kubernetes-int-or-string'] && !isFree) {
    errors.push(required(typePath, untyped[level]))
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set'
    errors.push(forbiddenField(child(path, 'additionalProperties'), detail))
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(wrong(typePath, type, 'must be object at the root'))
  }
  if (isEmbedded && !isFree && propertiesOf(schema).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(required(child(path, 'properties'), detail))
  }
  return errors
}

/** Of resources: the type is a string, and of metadata only names can be restricted. */
function checkMeta(schema: Schema, path: string, level: Level): readonly FieldError[] {
  if (level !== 'root' && !schema['x-kubernetes-embedded-resource']) return []
  const errors: FieldError[] = []
  for (const name of ['kind', 'apiVersion']) {
    const property = schema.properties?.[name]
    if (property && property.type !== 'string') {
      errors.push(
        wrong(child(propertyPath(path, name), 'type'), property.type ?? '', 'must be string'),
      )
    }
  }
  const metadata = schema.properties?.['metadata']
  if (!metadata) return errors
  const metaPath = propertyPath(path, 'metadata')
  if (metadata.type !== 'object') {
    errors.push(wrong(child(metaPath, 'type'), metadata.type ?? '', 'must be object'))
  }
  const { type: _type, properties = {}, default: _default, ...rest } = metadata
  const isOnlyNames = Object.keys(properties).every(
    (name) => name === 'name' || name === 'generateName',
  )
  if (level === 'root' && (!isOnlyNames || Object.keys(rest).length > 0)) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified'
    errors.push(forbiddenField(metaPath, detail))
  }
  return errors
}

const intOrString = [{ type: 'integer' }, { type: 'string' }]

/** The two forms in which the alternatives of int-or-string may name types. */
const intOrStringParts = ({ anyOf, allOf }: Schema): { any: boolean; all: boolean } => ({
  any: isDeepStrictEqual(anyOf, intOrString),
  all: isDeepStrictEqual(allOf?.[0]?.anyOf, intOrString),
})

function checkJunctors(
  schema: Schema,
  path: string,
  skip: { readonly any: boolean; readonly all: boolean } = { any: false, all: false },
): readonly FieldError[] {
  const errors: FieldError[] = []
  if (!skip.any) {
    for (const [i, one] of (schema.anyOf ?? []).entries()) {
      errors.push(...checkNested(one, keyed(child(path, 'anyOf'), i)))
    }
  }
  for (const [i, one] of (schema.allOf ?? []).entries()) {
    errors.push(...checkNested(one, keyed(child(path, 'allOf'), i), skip.all && i === 0))
  }
  for (const [i, one] of (schema.oneOf ?? []).entries()) {
    errors.push(...checkNested(one, keyed(child(path, 'oneOf'), i)))
  }
  if (schema.not) errors.push(...checkNested(schema.not, child(path, 'not')))
  const fault = schema.pattern === undefined ? undefined : faultOfRegexp(schema.pattern)
  if (fault !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${fault}`
    errors.push(wrong(child(path, 'pattern'), schema.pattern, detail))
  }
  return errors
}

const notNested = {
  type: 'must be empty to be structural',
  additionalProperties: 'must be undefined to be structural',
  default: 'must be undefined to be structural',
  title: 'must be empty to be structural',
  description: 'must be empty to be structural',
  nullable: 'must be false to be structural',
  'x-kubernetes-preserve-unknown-fields': 'must be false to be structural',
  'x-kubernetes-embedded-resource': 'must be false to be structural',
  'x-kubernetes-int-or-string': 'must be false to be structural',
  'x-kubernetes-list-map-keys': 'must be empty to be structural',
  'x-kubernetes-list-type': 'must be undefined to be structural',
  'x-kubernetes-map-type': 'must be undefined to be structural',
  'x-kubernetes-validations': 'must be empty to be structural',
} as const satisfies Partial<Record<keyof Schema, string>>

function checkNested(schema: Schema, path: string, skipsAnyOf = false): readonly FieldError[] {
  const errors = [...checkJunctors(schema, path, { any: skipsAnyOf, all: false })]
  if (schema.items) errors.push(...checkNested(schema.items, child(path, 'items')))
  for (const [name, property] of propertiesOf(schema)) {
    errors.push(...checkNested(property, propertyPath(path, name)))
  }
  for (const [keyword, detail] of Object.entries(notNested)) {
    const value = schema[keyword as keyof typeof notNested]
    if (value !== undefined && value !== false && value !== '') {
      errors.push(forbiddenField(child(path, keyword), detail))
    }
  }
  if (schema.properties?.['metadata']) {
    const detail = 'must not be specified in a nested context'
    errors.push(forbiddenField(propertyPath(path, 'metadata'), detail))
  }
  return errors
}

/** What alternatives at the root restrict must be there outside of them. */
function checkComplete(schema: Schema, path: string): readonly FieldError[] {
  type Pair = {
    readonly narrow: Schema
    readonly whole: Schema
    readonly from: string
    readonly to: string
  }
  const junctors = ({ narrow, ...at }: Pair): readonly FieldError[] => [
    ...(narrow.not ? nested({ ...at, narrow: narrow.not, from: child(at.from, 'not') }) : []),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
      (narrow[name] ?? []).flatMap((one, i) =>
        nested({ ...at, narrow: one, from: keyed(child(at.from, name), i) }),
      ),
    ),
  ]
  const nested = (pair: Pair): readonly FieldError[] => [
    ...junctors(pair),
    ...propertiesOf(pair.narrow).flatMap(([name, narrow]) => {
      const from = propertyPath(pair.from, name)
      const to = propertyPath(pair.to, name)
      const whole = propertyOf(pair.whole, name)
      return whole
        ? nested({ narrow, whole, from, to })
        : [required(to, `because it is defined in ${from}`)]
    }),
  ]
  return junctors({ narrow: schema, whole: schema, from: path, to: path })
}
