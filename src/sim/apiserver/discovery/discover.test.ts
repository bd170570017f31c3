import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { builtInTypes } from '../kinds/built-in-types.ts'
import type { JsonObject } from '../object.ts'
import { Refusal } from '../refusal.ts'
import type { ResourceType } from '../resource-type.ts'
import { discover } from './discover.ts'
import { compareVersions } from './groups.ts'

const rules = { strategy: {}, columns: [], selectableFields: {}, hasGeneration: false }

const builtIns = builtInTypes()

const things = (version: string): ResourceType => ({
  group: 'h-types.io',
  version,
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  shortNames: [],
  categories: [],
  namespaced: true,
  subresources: ['status'],
  writtenSchema: { type: 'object' },
  shape: { type: 'object', fields: new Map() },
  ...rules,
})

const json = 'application/json'
const aggregated = `${json};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`
const kubectl = `${aggregated},${json};g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,${json}`

const bodyOf = (path: string, types: readonly ResourceType[] = builtIns): JsonObject =>
  discover(path, json, types)?.body ?? {}
const resourcesOf = (path: string, types = builtIns) =>
  bodyOf(path, types)['resources'] as readonly { readonly name: string }[]
const rowOf = (path: string, name: string, types = builtIns) =>
  resourcesOf(path, types).find((row) => row.name === name)

const all = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** Rows as a 1.36.3 API server has them, less the hash of the storage version. */
const rows = [
  {
    name: 'a resource with short names and categories',
    path: '/api/v1',
    gives: {
      name: 'pods',
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: all,
      shortNames: ['po'],
      categories: ['all'],
    },
  },
  {
    name: 'a resource without either',
    path: '/apis/coordination.k8s.io/v1',
    gives: { name: 'leases', singularName: 'lease', namespaced: true, kind: 'Lease', verbs: all },
  },
  {
    name: 'a plural that is not formed by s',
    path: '/apis/scheduling.k8s.io/v1',
    gives: {
      name: 'priorityclasses',
      singularName: 'priorityclass',
      namespaced: false,
      kind: 'PriorityClass',
      verbs: all,
      shortNames: ['pc'],
    },
  },
  {
    name: 'namespaces are not deleted together',
    path: '/api/v1',
    gives: {
      name: 'namespaces',
      singularName: 'namespace',
      namespaced: false,
      kind: 'Namespace',
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['ns'],
    },
  },
  {
    name: 'a subresource of the same kind',
    path: '/api/v1',
    gives: {
      name: 'pods/resize',
      singularName: '',
      namespaced: true,
      kind: 'Pod',
      verbs: ['get', 'patch', 'update'],
    },
  },
  {
    name: 'a subresource of a kind of another group',
    path: '/apis/apps/v1',
    gives: {
      name: 'deployments/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    },
  },
  {
    name: 'what can only be asked',
    path: '/apis/authorization.k8s.io/v1',
    gives: {
      name: 'selfsubjectaccessreviews',
      singularName: 'selfsubjectaccessreview',
      namespaced: false,
      kind: 'SelfSubjectAccessReview',
      verbs: ['create'],
    },
  },
]
each(rows, ({ path, gives }) => {
  assert.deepEqual(rowOf(path, gives.name), gives)
})

void test('the core group lists its versions', () => {
  assert.deepEqual(bodyOf('/api')['versions'], ['v1'])
  assert.equal(bodyOf('/api/')['kind'], 'APIVersions')
})

void test('a group has its versions, and the best one first', () => {
  const types = [things('v1alpha1'), things('v1'), things('v1beta1')]
  const version = (name: string) => ({ groupVersion: `h-types.io/${name}`, version: name })
  assert.deepEqual(bodyOf('/apis/h-types.io', types), {
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: 'h-types.io',
    versions: [version('v1'), version('v1beta1'), version('v1alpha1')],
    preferredVersion: version('v1'),
  })
})

void test('groups come and go with their types', () => {
  const names = (types: readonly ResourceType[]) =>
    (bodyOf('/apis', types)['groups'] as readonly { name: string }[]).map(({ name }) => name)
  assert.deepEqual(names([...builtIns, things('v1')]), [...names(builtIns), 'h-types.io'])
  assert.ok(!names(builtIns).includes(''))
  assert.equal(discover('/apis/h-types.io', json, builtIns), undefined)
  assert.deepEqual(rowOf('/apis/h-types.io/v1', 'things/status', [things('v1')]), {
    name: 'things/status',
    singularName: '',
    namespaced: true,
    kind: 'Thing',
    verbs: ['get', 'patch', 'update'],
  })
})

void test('kubectl gets everything at once', () => {
  const core = discover('/api', kubectl, builtIns)
  assert.equal(core?.contentType, aggregated)
  const items = core?.body['items'] as readonly JsonObject[]
  assert.deepEqual(items[0]?.['metadata'], {})
  const groups = discover('/apis', kubectl, [things('v1')])
  const kind = { group: 'h-types.io', version: 'v1', kind: 'Thing' }
  const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
  assert.deepEqual(groups?.body['items'], [
    {
      metadata: { name: 'h-types.io' },
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'things',
              responseKind: kind,
              scope: 'Namespaced',
              singularResource: 'thing',
              verbs,
              subresources: [
                { subresource: 'status', responseKind: kind, verbs: ['get', 'patch', 'update'] },
              ],
            },
          ],
          freshness: 'Current',
        },
      ],
    },
  ])
})

each(
  [
    { name: 'plain JSON where it is asked for first', accept: `${json},${aggregated}` },
    { name: 'plain JSON for whoever takes anything', accept: '*/*' },
    { name: 'plain JSON instead of an older form', accept: aggregated.replace('v2', 'v2beta1') },
    { name: 'plain JSON where nothing is said', accept: '' },
  ],
  ({ accept }) => {
    assert.equal(discover('/apis', accept, builtIns)?.contentType, json)
  },
)

void test('a version that a group does not have is no resource', () => {
  assert.throws(() => discover('/apis/apps/v2', json, builtIns), Refusal)
  assert.throws(() => discover('/api/v2', json, builtIns), Refusal)
})

void test('other paths are not about discovery', () => {
  for (const path of [
    '/',
    '/version',
    '/api/v1/pods',
    '/apis/apps/v1/deployments',
    '/apis/nope/v1',
  ])
    assert.equal(discover(path, json, builtIns), undefined, path)
})

void test('versions are ordered by how stable they are, then by their numbers', () => {
  const best = ['v10', 'v2', 'v1', 'v2beta1', 'v1beta10', 'v1beta2', 'v3alpha1', 'bar', 'foo1']
  assert.deepEqual(best.toSorted().toSorted(compareVersions), best)
})
