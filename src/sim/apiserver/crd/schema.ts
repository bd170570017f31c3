/** The schema of a CRD's version as it was written: OpenAPI v3 with Kubernetes' extensions. */
import { memberOf } from '../members.ts'
import type { Json } from '../object.ts'

export type Rule = {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

export type Schema = {
  readonly type?: string
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly default?: Json
  readonly nullable?: boolean
  readonly enum?: readonly Json[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly not?: Schema
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-validations'?: readonly Rule[]
}

type Properties = readonly (readonly [name: string, schema: Schema])[]
const listed = new WeakMap<Schema, Properties>()

/** Go's maps have no order; sorted, ours is the same every time. */
export function propertiesOf(schema: Schema): Properties {
  const known = listed.get(schema)
  if (known) return known
  const { properties = {} } = schema
  const made = Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1))
  listed.set(schema, made)
  return made
}

/** One of `properties`, by a name that anybody wrote. */
export const propertyOf = ({ properties = {} }: Schema, name: string): Schema | undefined =>
  memberOf(properties, name)

/** Of `additionalProperties`, where it is a schema. */
export const valuesOf = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined

export const typesOf = (schema: Schema): readonly string[] => {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string']
  return schema.type === undefined || schema.type === '' ? [] : [schema.type]
}

/** As Go's field.Path: `spec.names[0].x`, a map's key as `spec.labels[a]`, and `<nil>` for the root. */
export const child = (path: string, name: string): string =>
  path === '' ? name : `${path}.${name}`
export const keyed = (path: string, key: string | number): string => `${path}[${key}]`
export const shown = (path: string): string => (path === '' ? '<nil>' : path)
