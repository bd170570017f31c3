/** The schemas of a kind and of lists of it: from the shape, or of a CRD as its schema was written. */
import { verbsOf } from '../discovery/resources.ts'
import { isJsonObject, type JsonObject } from '../object.ts'
import type { ResourceType } from '../resource-type.ts'
import { objectMetaShape, typeShape } from '../types/shape-of.ts'
import { describeKindField } from './descriptions.ts'
import { addType, refTo, type Schemas } from './schema.ts'

/** Adds what a kind needs; returns the name of its schema. */
export function addKind(type: ResourceType, schemas: Schemas): string {
  const { group, version, kind, writtenSchema } = type
  const name = writtenSchema
    ? addCustomKind(type, writtenSchema, schemas)
    : addType(type.shape, schemas)
  const gvk = (suffix: string) => ({
    'x-kubernetes-group-version-kind': [{ group, kind: kind + suffix, version }],
  })
  schemas.set(name, { ...schemas.get(name), ...gvk('') })
  if (verbsOf(type).includes('list')) {
    schemas.set(`${name}List`, { ...listSchema(name, schemas), ...gvk('List') })
  }
  return name
}

const typeFields = (name: string): JsonObject => ({
  apiVersion: { ...describeKindField(name, 'apiVersion'), type: 'string' },
  kind: { ...describeKindField(name, 'kind'), type: 'string' },
})

/** `io.mbcas.allocation.v1alpha1.PodAllocation` */
const nameOf = ({ group, version, kind }: ResourceType): string =>
  [...group.split('.').toReversed(), version, kind].join('.')

function addCustomKind(type: ResourceType, schema: JsonObject, schemas: Schemas): string {
  const name = nameOf(type)
  const written = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const metadata = {
    ...describeKindField(name, 'metadata'),
    allOf: [refTo(addType(objectMetaShape, schemas))],
  }
  schemas.set(name, { ...schema, properties: { ...written, ...typeFields(name), metadata } })
  return name
}

function listSchema(name: string, schemas: Schemas): JsonObject {
  const listMeta = typeShape('meta.v1.ListMeta')
  return {
    type: 'object',
    required: ['items'],
    properties: {
      ...typeFields(name),
      ...(listMeta && { metadata: { allOf: [refTo(addType(listMeta, schemas))] } }),
      items: { type: 'array', items: refTo(name) },
    },
  }
}
