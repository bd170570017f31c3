import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import type { Field, ListShape, ObjectShape, Shape } from '../shape.ts'
import { builtInNames } from './names.ts'
import { objectMetaShape, shapeOf, typeShape } from './shape-of.ts'

/** Follows a path as `kubectl explain` would: lists and maps are passed through. */
function fieldAt(kind: string, path: string): Field {
  const [apiVersion = '', name = ''] = kind.split(' ')
  let shape: Shape | undefined = shapeOf(apiVersion, name)
  let found: Field | undefined
  for (const part of path.split('.')) {
    while (shape?.type === 'list' || shape?.type === 'map')
      shape = shape.type === 'list' ? shape.items : shape.values
    found = shape?.type === 'object' ? shape.fields.get(part) : undefined
    shape = found?.shape
  }
  if (!found) throw new Error(`no ${path} in ${kind}`)
  return found
}

const scalarRows: readonly (Field & { name: string; kind: string; path: string })[] = [
  {
    name: 'a required string',
    kind: 'v1 Pod',
    path: 'spec.containers.name',
    shape: { type: 'string' },
    required: true,
    number: 1,
  },
  {
    name: 'what Go omits when it is zero',
    kind: 'v1 Pod',
    path: 'spec.nodeName',
    shape: { type: 'string' },
    omitsZero: true,
    number: 10,
  },
  {
    name: 'what Go does not omit when it is zero',
    kind: 'apps/v1 Deployment',
    path: 'spec.replicas',
    shape: { type: 'integer', format: 'int32' },
    number: 1,
  },
  {
    name: 'a default and an enum',
    kind: 'v1 Service',
    path: 'spec.ports.protocol',
    shape: { type: 'string', enum: ['SCTP', 'TCP', 'UDP'] },
    omitsZero: true,
    default: 'TCP',
    number: 2,
  },
  {
    name: 'a map of quantities',
    kind: 'v1 Pod',
    path: 'spec.containers.resources.limits',
    shape: { type: 'map', values: { type: 'string', format: 'quantity' } },
    omitsZero: true,
    number: 1,
  },
  {
    name: 'an atomic map',
    kind: 'v1 Pod',
    path: 'spec.nodeSelector',
    shape: { type: 'map', values: { type: 'string' }, atomic: true },
    omitsZero: true,
    number: 7,
  },
  {
    name: 'a set',
    kind: 'v1 Pod',
    path: 'metadata.finalizers',
    shape: { type: 'list', items: { type: 'string' }, merge: 'set', patchStrategy: 'merge' },
    omitsZero: true,
    number: 14,
  },
  {
    name: 'a field of an embedded struct',
    kind: 'v1 Pod',
    path: 'spec.containers.livenessProbe.httpGet.port',
    shape: { type: 'int-or-string' },
    required: true,
    number: 2,
  },
  {
    name: 'micro time',
    kind: 'coordination.k8s.io/v1 Lease',
    path: 'spec.renewTime',
    shape: { type: 'string', format: 'micro-time' },
    number: 4,
  },
  {
    name: 'what is kept as it is',
    kind: 'apiextensions.k8s.io/v1 CustomResourceDefinition',
    path: 'spec.versions.schema.openAPIV3Schema',
    shape: { type: 'any' },
    number: 1,
  },
]
each(scalarRows, ({ name, kind, path, ...field }) => {
  assert.deepEqual(fieldAt(kind, path), field, name)
})

void test('a list merged by keys says so for both kinds of patches', () => {
  const { items: _, ...list } = fieldAt('v1 Pod', 'spec.containers.ports').shape as ListShape
  assert.deepEqual(list, {
    type: 'list',
    merge: 'map',
    keys: ['containerPort', 'protocol'],
    patchStrategy: 'merge',
    patchKey: 'containerPort',
  })
})

void test('embedded structs are messages of their own in protobuf', () => {
  const emptyDir = fieldAt('v1 Pod', 'spec.volumes.emptyDir')
  assert.deepEqual(emptyDir.embedded, { type: 'VolumeSource', number: 2 })
  assert.equal(fieldAt('v1 Pod', 'spec.volumes.name').embedded, undefined)
})

void test('types that are atomic or retain keys are marked', () => {
  assert.equal(typeShape('meta.v1.LabelSelector')?.atomic, true)
  assert.equal(typeShape('core.v1.Volume')?.retainKeys, true)
  assert.equal(typeShape('apps.v1.DeploymentStrategy')?.retainKeys, true)
  assert.equal(typeShape('core.v1.Container')?.atomic, undefined)
})

void test('a type has one shape, wherever it is met', () => {
  assert.equal(fieldAt('v1 Pod', 'metadata').shape, objectMetaShape)
  assert.equal(
    fieldAt('v1 Pod', 'spec').shape,
    fieldAt('apps/v1 Deployment', 'spec.template.spec').shape,
  )
  assert.equal(shapeOf('v1', 'Pod'), shapeOf('v1', 'Pod'))
})

void test('only kinds are found', () => {
  assert.equal(shapeOf('v1', 'Container'), undefined)
  assert.equal(shapeOf('v1', 'OwnerReference'), undefined)
  assert.equal(shapeOf('apps/v1', 'Pod'), undefined)
  assert.equal(shapeOf('apps/v2', 'Deployment'), undefined)
  assert.equal(shapeOf('example.com/v1', 'Widget'), undefined)
  assert.equal(shapeOf('apps.example.com/v1', 'Deployment'), undefined)
  assert.ok(shapeOf('events.k8s.io/v1', 'Event')?.fields.has('regarding'))
  assert.equal(shapeOf('policy/v1', 'DeleteOptions'), shapeOf('v1', 'DeleteOptions'))
  assert.ok(shapeOf('autoscaling/v1', 'Scale'))
})

void test('every built-in kind has a shape, and all that it reaches can be read', () => {
  const seen = new Set<ObjectShape>()
  const visit = (shape: Shape): void => {
    if (shape.type === 'list') visit(shape.items)
    if (shape.type === 'map') visit(shape.values)
    if (shape.type !== 'object' || seen.has(shape)) return
    seen.add(shape)
    for (const field of shape.fields.values()) visit(field.shape)
  }
  for (const { group, version, kind } of builtInNames) {
    const shape = shapeOf(group === '' ? version : `${group}/${version}`, kind)
    assert.ok(shape, kind)
    visit(shape)
  }
  assert.ok(seen.size > 200, `${seen.size}`)
})
