/** Schemas of the built-in types, one a type, with refs between them, as kubectl reads them. */
import type { JsonObject } from '../object.ts'
import type { Field, ListShape, ObjectShape, ScalarShape, Shape } from '../shape.ts'
import { describeField, describeKindField, describeType } from './descriptions.ts'

/** Scalars that have a schema of their own, by their format. */
const named: Readonly<Record<string, readonly [name: string, schema: JsonObject]>> = {
  quantity: [
    'io.k8s.apimachinery.pkg.api.resource.Quantity',
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
  ],
  'date-time': [
    'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
    { type: 'string', format: 'date-time' },
  ],
  'micro-time': [
    'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
    { type: 'string', format: 'date-time' },
  ],
}
const intOrString = [
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
] as const

/** Fields of any content whose type has a name. */
const namedContent: Readonly<Record<string, string>> = {
  fieldsV1: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
}

export type Schemas = Map<string, JsonObject>

export const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** Adds a type and all that it reaches; returns its name. */
export function addType(shape: ObjectShape, schemas: Schemas): string {
  const name = shape.typeName ?? ''
  if (schemas.has(name)) return name
  schemas.set(name, {}) // keeps its place, and ends recursion
  const fields = [...shape.fields]
  const required = fields.filter(([, field]) => field.required === true).map(([field]) => field)
  const isKind = shape.fields.has('apiVersion') && shape.fields.has('metadata')
  const describe = isKind ? describeKindField : describeField
  const properties = fields.map(([field, of]) => {
    const content = namedContent[field]
    if (content !== undefined) schemas.set(content, { type: 'object' })
    const schema = content === undefined ? schemaOfField(of, schemas) : { allOf: [refTo(content)] }
    return [field, { ...describe(name, field), ...schema }]
  })
  schemas.set(name, {
    ...describeType(name),
    type: 'object',
    properties: Object.fromEntries(properties) as JsonObject,
    ...(required.length > 0 && { required }),
    ...(shape.atomic === true && { 'x-kubernetes-map-type': 'atomic' }),
  })
  return name
}

function schemaOfField({ shape, default: value }: Field, schemas: Schemas): JsonObject {
  const schema = schemaOf(shape, schemas)
  // What stands beside a bare $ref does not count.
  const base = schema['$ref'] === undefined ? schema : { allOf: [schema] }
  return {
    ...base,
    ...(value !== undefined && { default: value }),
    ...(isRetaining(shape) && { 'x-kubernetes-patch-strategy': 'retainKeys' }),
  }
}

const isRetaining = (shape: Shape): boolean => shape.type === 'object' && shape.retainKeys === true

function schemaOf(shape: Shape, schemas: Schemas): JsonObject {
  if (shape.type === 'object') return refTo(addType(shape, schemas))
  if (shape.type === 'list') return listSchema(shape, schemas)
  if (shape.type === 'any') return { type: 'object' }
  if (shape.type === 'map') {
    return {
      type: 'object',
      additionalProperties: schemaOf(shape.values, schemas),
      ...(shape.atomic === true && { 'x-kubernetes-map-type': 'atomic' }),
    }
  }
  return scalarSchema(shape, schemas)
}

function listSchema(shape: ListShape, schemas: Schemas): JsonObject {
  const { items, merge, keys, patchStrategy, patchKey } = shape
  const strategy = [patchStrategy, isRetaining(items) ? 'retainKeys' : undefined]
    .filter((part) => part !== undefined)
    .join(',')
  return {
    type: 'array',
    items: schemaOf(items, schemas),
    'x-kubernetes-list-type': merge,
    ...(keys && { 'x-kubernetes-list-map-keys': keys }),
    ...(strategy !== '' && { 'x-kubernetes-patch-strategy': strategy }),
    ...(patchKey !== undefined && { 'x-kubernetes-patch-merge-key': patchKey }),
  }
}

function scalarSchema({ type, format, enum: choices }: ScalarShape, schemas: Schemas): JsonObject {
  const [name, schema] = (type === 'int-or-string' ? intOrString : named[format ?? '']) ?? []
  if (name !== undefined && schema) {
    schemas.set(name, schema)
    return refTo(name)
  }
  return { type, ...(format !== undefined && { format }), ...(choices && { enum: choices }) }
}
