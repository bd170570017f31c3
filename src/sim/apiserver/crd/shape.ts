/** The shape of a schema: what decoding, defaults, server-side apply and OpenAPI need of it. */
import type { Field, ListShape, ObjectShape, ScalarShape, Shape } from '../shape.ts'
import { objectMetaShape } from '../types/shape-of.ts'
import { propertiesOf, type Schema } from './schema.ts'

const any: Shape = { type: 'any' }
/** Of `additionalProperties: true`: the keys stay, but what objects have inside is pruned. */
const closed: Shape = { type: 'object', fields: new Map() }

/** Of a whole resource: what every object has, and what the schema says besides. */
export function resourceShape(schema: Schema): ObjectShape {
  const fields = new Map<string, Field>([
    ['apiVersion', { shape: { type: 'string' } }],
    ['kind', { shape: { type: 'string' } }],
    ['metadata', { shape: objectMetaShape }],
  ])
  for (const [name, field] of fieldsOf(schema)) if (!fields.has(name)) fields.set(name, field)
  return {
    type: 'object',
    fields,
    ...(schema['x-kubernetes-preserve-unknown-fields'] && { keepsUnknown: true }),
    ...nullableOf(schema),
  }
}

const nullableOf = ({ nullable }: Schema): { nullable?: true } => (nullable ? { nullable } : {})

function fieldsOf(schema: Schema): ReadonlyMap<string, Field> {
  return new Map(
    propertiesOf(schema).map(([name, property]) => [
      name,
      {
        shape: shapeOf(property),
        ...(schema.required?.includes(name) && { required: true }),
        ...(property.default !== undefined && { default: property.default }),
        ...(property.description !== undefined && { description: property.description }),
      },
    ]),
  )
}

export function shapeOf(schema: Schema): Shape {
  if (schema['x-kubernetes-int-or-string']) return { type: 'int-or-string', ...nullableOf(schema) }
  if (schema['x-kubernetes-embedded-resource']) return resourceShape(schema)
  switch (schema.type) {
    case 'object':
      return mapOrObject(schema)
    case 'array':
      return listOf(schema)
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return scalarOf(schema, schema.type)
    case undefined:
    default:
      return any
  }
}

function mapOrObject(schema: Schema): Shape {
  const { additionalProperties } = schema
  const atomic = schema['x-kubernetes-map-type'] === 'atomic' ? { atomic: true } : {}
  if (additionalProperties !== undefined && additionalProperties !== false) {
    const values = additionalProperties === true ? closed : shapeOf(additionalProperties)
    return { type: 'map', values, ...atomic, ...nullableOf(schema) }
  }
  return {
    type: 'object',
    fields: fieldsOf(schema),
    ...(schema['x-kubernetes-preserve-unknown-fields'] && { keepsUnknown: true }),
    ...atomic,
    ...nullableOf(schema),
  }
}

function listOf(schema: Schema): ListShape {
  const type = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys']
  return {
    type: 'list',
    items: schema.items ? shapeOf(schema.items) : any,
    merge: type === 'set' || type === 'map' ? type : 'atomic',
    ...(type === 'map' && keys && { keys }),
    ...nullableOf(schema),
  }
}

const scalarOf = (schema: Schema, type: ScalarShape['type']): ScalarShape => ({
  type,
  ...(schema.format !== undefined && { format: schema.format }),
  ...(schema.enum && { enum: schema.enum }),
  ...nullableOf(schema),
})
