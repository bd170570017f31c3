/** What is common to the tests of our CustomResourceDefinitions, as `deploy/crds` has them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { parse } from 'yaml'

export type Schema = { readonly [keyword: string]: unknown }
export type Crd = {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly scope: string
    readonly names: {
      readonly plural: string
      readonly kind: string
      readonly shortNames: string[]
      readonly categories: string[]
    }
    readonly versions: readonly {
      readonly name: string
      readonly subresources?: unknown
      readonly additionalPrinterColumns: readonly {
        readonly name: string
        readonly jsonPath: string
      }[]
      readonly schema: { readonly openAPIV3Schema: Schema }
    }[]
  }
}

export const readCrd = (name: string): Crd =>
  parse(readFileSync(`deploy/crds/${name}.yaml`, 'utf8')) as Crd

export const rootOf = ({ spec }: Crd): Schema => spec.versions[0]?.schema.openAPIV3Schema ?? {}

const words = (text: string) => new Set(text.split(' '))
const types = words('object array string integer number boolean')
const known = words(
  'description type format enum default required properties items minLength maxLength pattern ' +
    'minimum maxItems x-kubernetes-validations x-kubernetes-int-or-string ' +
    'x-kubernetes-list-type x-kubernetes-list-map-keys',
)

/** What makes a schema non-structural, or a resource hard to use; `apiextensions/validation`. */
export function faults(schema: Schema, path: string): string[] {
  const found = Object.keys(schema)
    .filter((keyword) => !known.has(keyword))
    .map((keyword) => `${path}: ${keyword} is not structural`)
  const fault = (words: string) => found.push(`${path}: ${words}`)
  const type = schema['type'] as string | undefined
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
  const items = schema['items'] as Schema | undefined
  const isQuantity = schema['x-kubernetes-int-or-string'] === true
  if (isQuantity ? type !== undefined : !types.has(type ?? '')) fault(`type is ${type}`)
  if (path !== '.metadata' && typeof schema['description'] !== 'string') fault('no description')
  if (properties !== undefined && Object.keys(properties).length > 0 && type !== 'object') {
    fault('properties without type object')
  }
  if ((type === 'array') !== (items !== undefined)) fault('items and type array go together')
  for (const name of (schema['required'] ?? []) as readonly string[]) {
    if (properties[name] === undefined) fault(`required ${name} is no property`)
  }
  const choices = schema['enum'] as readonly unknown[] | undefined
  if (choices && 'default' in schema && !choices.includes(schema['default'])) fault('bad default')
  const isBounded = 'maxLength' in schema || choices !== undefined
  const isOfKubernetes = path === '.apiVersion' || path === '.kind'
  if ((type === 'string' || isQuantity) && !isBounded && !isOfKubernetes) fault('no maxLength')
  if (type === 'array') {
    if (!('maxItems' in schema)) fault('no maxItems')
    const keys = (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[]
    const needed = (items?.['required'] ?? []) as readonly string[]
    const isSet = schema['x-kubernetes-list-type'] === 'set' && items?.['type'] === 'string'
    const isMap = schema['x-kubernetes-list-type'] === 'map' && keys.length > 0
    if (!isSet && !isMap) fault('neither a list by key nor a set')
    for (const key of keys) if (!needed.includes(key)) fault(`key ${key} is not required`)
  }
  if ('pattern' in schema) assert.doesNotThrow(() => new RegExp(String(schema['pattern'])))
  for (const { rule, message } of (schema['x-kubernetes-validations'] ?? []) as {
    rule: string
    message: string
  }[]) {
    if (rule.includes('\n') || message.includes('\n') || message.length > 2048) fault('long rule')
    for (const [, field = ''] of rule.matchAll(/\b(?:self|oldSelf)\.(\w+)/g)) {
      if (properties[field] === undefined) fault(`a rule names ${field}, which is no field`)
    }
  }
  return [
    ...found,
    ...Object.entries(properties).flatMap(([key, field]) => faults(field, `${path}.${key}`)),
    ...(items ? faults(items, `${path}[]`) : []),
  ]
}

/** Columns whose path leads to no field. */
export const emptyColumns = (crd: Crd): string[] =>
  (crd.spec.versions[0]?.additionalPrinterColumns ?? [])
    .filter(({ jsonPath }) => !jsonPath.startsWith('.metadata') && !fieldAt(rootOf(crd), jsonPath))
    .map(({ name }) => name)

/** An index, or a filter such as `[?(@.name=="cpu")]`, stands for any item. */
export function fieldAt(root: Schema, path: string): Schema | undefined {
  let schema: Schema | undefined = root
  for (const [, key = '', filter] of path.matchAll(/\.(\w+)(\[[^\]]*\])?/g)) {
    schema = (schema?.['properties'] as Record<string, Schema> | undefined)?.[key]
    if (filter !== undefined) schema = schema?.['items'] as Schema | undefined
  }
  return schema
}
