import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { builtInTypes } from '../kinds/built-in-types.ts'
import type { JsonObject } from '../object.ts'
import { apiVersionOf, type ResourceType } from '../resource-type.ts'
import { openApiDocument, openApiIndex } from './document.ts'

const rules = { strategy: {}, columns: [], selectableFields: {}, hasGeneration: false }

const builtIns = builtInTypes()

const thing = (description: string): ResourceType => ({
  group: 'h-types.io',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  shortNames: [],
  categories: [],
  namespaced: true,
  subresources: [],
  shape: { type: 'object', fields: new Map() },
  writtenSchema: {
    type: 'object',
    description,
    required: ['spec'],
    properties: { spec: { type: 'object' } },
  },
  ...rules,
})

type Document = {
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> }
}
const documentOf = (path: string, types: readonly ResourceType[] = builtIns) =>
  openApiDocument(path, types) as unknown as Document

const propertiesOf = ({ components }: Document, type: string) =>
  (components.schemas[type]?.['properties'] ?? {}) as Record<string, JsonObject>

const core = 'io.k8s.api.core.v1'
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Less descriptions, as the real server has them. */
const properties: readonly { name: string; type: string; field: string; gives: JsonObject }[] = [
  {
    name: 'a list that is merged by keys',
    type: `${core}.Container`,
    field: 'ports',
    gives: {
      type: 'array',
      items: ref(`${core}.ContainerPort`),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'containerPort',
    },
  },
  {
    name: 'items whose keys are retained',
    type: `${core}.PodSpec`,
    field: 'volumes',
    gives: {
      type: 'array',
      items: ref(`${core}.Volume`),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge,retainKeys',
      'x-kubernetes-patch-merge-key': 'name',
    },
  },
  {
    name: 'a map of quantities',
    type: `${core}.ResourceRequirements`,
    field: 'limits',
    gives: {
      type: 'object',
      additionalProperties: ref('io.k8s.apimachinery.pkg.api.resource.Quantity'),
    },
  },
  {
    name: 'an atomic map',
    type: `${core}.PodSpec`,
    field: 'nodeSelector',
    gives: {
      type: 'object',
      additionalProperties: { type: 'string' },
      'x-kubernetes-map-type': 'atomic',
    },
  },
  {
    name: 'a field of another type',
    type: `${core}.Pod`,
    field: 'spec',
    gives: { allOf: [ref(`${core}.PodSpec`)], default: {} },
  },
  {
    name: 'an enum with a default',
    type: `${core}.ContainerPort`,
    field: 'protocol',
    gives: { type: 'string', enum: ['SCTP', 'TCP', 'UDP'], default: 'TCP' },
  },
  {
    name: 'a time',
    type: `${meta}.ObjectMeta`,
    field: 'creationTimestamp',
    gives: { allOf: [ref(`${meta}.Time`)] },
  },
]
each(properties, ({ type, field, gives }) => {
  const { [field]: property } = propertiesOf(documentOf('api/v1'), type)
  const { description: _, ...rest } = property ?? {}
  assert.deepEqual(rest, gives)
})

void test('every ref leads somewhere, in every document', () => {
  for (const path of Object.keys(openApiIndex(builtIns)['paths'] as JsonObject)) {
    const document = documentOf(path)
    const refs = JSON.stringify(document).matchAll(/#\/components\/schemas\/([^"]+)"/g)
    for (const [, name = ''] of refs) assert.ok(document.components.schemas[name], name)
  }
})

void test('every kind that is served is described', () => {
  for (const type of builtIns) {
    const path = `${type.group === '' ? 'api' : 'apis'}/${apiVersionOf(type)}`
    const schema = documentOf(path).components.schemas[type.shape.typeName ?? '']
    assert.ok(schema?.['description'], type.kind)
  }
})

void test('kinds and their lists carry their group, version and kind', () => {
  const { schemas } = documentOf('apis/apps/v1').components
  const kindsOf = (name: string) => schemas[name]?.['x-kubernetes-group-version-kind']
  const kind = { group: 'apps', version: 'v1', kind: 'Deployment' }
  assert.deepEqual(kindsOf('io.k8s.api.apps.v1.Deployment'), [kind])
  assert.deepEqual(kindsOf('io.k8s.api.apps.v1.DeploymentList'), [
    { ...kind, kind: 'DeploymentList' },
  ])
})

void test('PATCH takes the parameters that kubectl looks for', () => {
  const path = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}'
  const patch = documentOf('apis/apps/v1').paths[path]?.['patch'] as {
    parameters: readonly { name: string; in: string }[]
  }
  const names = patch.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  assert.deepEqual(names, ['dryRun', 'fieldManager', 'fieldValidation', 'force'])
})

void test('paths have the verbs of their resource, and cluster-wide ones no namespace', () => {
  const { paths } = documentOf('api/v1')
  const methods = (path: string) =>
    Object.keys(paths[path] ?? {}).filter((name) => name !== 'parameters')
  assert.deepEqual(methods('/api/v1/namespaces'), ['get', 'post'])
  assert.deepEqual(methods('/api/v1/nodes/{name}'), ['get', 'put', 'patch', 'delete'])
  assert.deepEqual(methods('/api/v1/pods'), ['get'])
  assert.deepEqual(methods('/api/v1/namespaces/{namespace}/bindings'), ['post'])
})

void test('a CRD is told as it was written, with the metadata of every object', () => {
  const { components, paths } = documentOf('apis/h-types.io/v1', [thing('A thing.')])
  const schema = components.schemas['io.h-types.v1.Thing']
  const { metadata, spec } = propertiesOf({ components, paths }, 'io.h-types.v1.Thing')
  assert.equal(schema?.['description'], 'A thing.')
  assert.deepEqual(schema?.['required'], ['spec'])
  assert.deepEqual(spec, { type: 'object' })
  assert.deepEqual(metadata?.['allOf'], [ref(`${meta}.ObjectMeta`)])
  assert.ok(paths['/apis/h-types.io/v1/namespaces/{namespace}/things/{name}'])
})

void test('the index follows the types, and a hash its document', () => {
  const urlOf = (types: readonly ResourceType[], path: string) => {
    const paths = openApiIndex(types)['paths'] as Record<string, { serverRelativeURL: string }>
    return paths[path]?.serverRelativeURL ?? ''
  }
  const path = 'apis/h-types.io/v1'
  const before = [...builtIns, thing('A thing.')]
  const after = [...builtIns, thing('Another thing.')]
  assert.match(urlOf(before, path), /^\/openapi\/v3\/apis\/h-types\.io\/v1\?hash=[0-9A-F]+$/)
  assert.notEqual(urlOf(after, path), urlOf(before, path))
  assert.equal(urlOf(after, 'api/v1'), urlOf(before, 'api/v1'))
  assert.equal(urlOf(builtIns, path), '')
  assert.equal(openApiDocument(path, builtIns), undefined)
})

void test('a document is made once for the same types', () => {
  assert.equal(openApiDocument('api/v1', builtIns), openApiDocument('api/v1', [...builtIns]))
})
