import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

import * as v from 'valibot'
import { parse } from 'yaml'

import { structural } from '../../scripts/crd.ts'
import { each } from '../../test/each.ts'
import { podAllocationSpec } from './pod-allocation-spec.ts'
import { millicoresIn, podAllocations } from './pod-allocation.ts'

type Schema = { readonly [keyword: string]: unknown }
type Crd = {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly names: {
      readonly plural: string
      readonly kind: string
      readonly shortNames: string[]
    }
    readonly versions: readonly {
      readonly name: string
      readonly subresources: unknown
      readonly additionalPrinterColumns: readonly {
        readonly name: string
        readonly jsonPath: string
      }[]
      readonly schema: { readonly openAPIV3Schema: Schema }
    }[]
  }
}

const text = readFileSync('deploy/crds/podallocations.allocation.mbcas.io.yaml', 'utf8')
const crd = parse(text) as Crd
const version = crd.spec.versions[0]
const root = version?.schema.openAPIV3Schema ?? {}
const words = (text: string) => new Set(text.split(' '))
const types = words('object array string integer number boolean')
const known = words(
  'description type format enum default required properties items minLength maxLength pattern ' +
    'minimum maxItems x-kubernetes-validations x-kubernetes-int-or-string ' +
    'x-kubernetes-list-type x-kubernetes-list-map-keys',
)

/** What makes a schema non-structural, or a resource hard to use; `apiextensions/validation`. */
function faults(schema: Schema, path: string): string[] {
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
    if (schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0) fault('not a list by key')
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

const at = (path: string): unknown => {
  let schema: Schema | undefined = root
  for (const key of path.split('.').slice(1)) {
    schema = (schema?.['properties'] as Record<string, Schema> | undefined)?.[key]
  }
  return schema
}

void describe('apis/pod-allocation', () => {
  void test('the definition is structural, bounded and described', () => {
    assert.deepEqual(faults(root, ''), [])
  })

  void test('the definition has the names that the client uses', () => {
    assert.equal(crd.metadata.name, `${podAllocations.plural}.${podAllocations.group}`)
    assert.deepEqual(crd.spec.names.shortNames, ['pa'])
    assert.equal(crd.spec.names.kind, podAllocations.kind)
    assert.equal(version?.name, podAllocations.version)
    assert.deepEqual(version.subresources, { status: {} })
  })

  void test('every column shows a field that exists', () => {
    const columns = version?.additionalPrinterColumns ?? []
    const usual = columns.slice(0, 6).map(({ name }) => name)
    assert.deepEqual(usual, ['Pod', 'Request', 'Limit', 'Phase', 'Price', 'Age'])
    for (const { jsonPath } of columns) {
      if (!jsonPath.startsWith('.metadata')) assert.ok(at(jsonPath), jsonPath)
    }
  })

  each(
    [
      { name: 'urgency is normal unless said', given: { podName: 'a' }, urgency: 'normal' },
      {
        name: 'urgency is kept',
        given: { podName: 'a', urgency: 'guardrail' },
        urgency: 'guardrail',
      },
    ],
    ({ given, urgency }) => assert.equal(v.parse(podAllocationSpec, given).urgency, urgency),
  )

  each(
    [
      { name: 'a bare number counts CPUs', quantity: 2, gives: 2000 },
      { name: 'so does a numeral', quantity: '1.5', gives: 1500 },
      { name: 'millicores', quantity: '250m', gives: 250 },
    ],
    ({ quantity, gives }) => assert.equal(millicoresIn(quantity), gives),
  )

  each(
    [
      { name: 'a reference to null is refused', schema: v.nullable(v.string()) },
      { name: 'a choice of shapes is refused', schema: v.union([v.string(), v.boolean()]) },
      { name: 'an open record is refused', schema: v.record(v.string(), v.string()) },
    ],
    ({ schema }) => assert.throws(() => structural(schema), /generating a CRD: expected/),
  )

  each(
    [
      { name: 'a fault is found: no type', schema: { description: 'x' } },
      { name: 'a fault is found: oneOf', schema: { type: 'object', description: 'x', oneOf: [] } },
      { name: 'a fault is found: unbounded', schema: { type: 'string', description: 'x' } },
      { name: 'a fault is found: undescribed', schema: { type: 'integer' } },
    ],
    ({ schema }) => assert.equal(faults(schema, '.x').length, 1),
  )
})
