import assert from 'node:assert/strict'
import { test } from 'node:test'

import { each } from '../../../../test/each.ts'
import type { JsonObject } from '../object.ts'
import type { Field, ObjectShape } from '../shape.ts'
import { shapeOf } from '../types/shape-of.ts'
import { setDefaults } from './set-defaults.ts'

const object = (fields: Record<string, Field>): ObjectShape => ({
  type: 'object',
  fields: new Map(Object.entries(fields)),
})
const item = object({ x: { shape: { type: 'integer' }, default: 1 } })
const shape = object({
  size: { shape: { type: 'integer' }, default: 3 },
  colour: { shape: { type: 'string', nullable: true }, default: 'red' },
  plain: { shape: object({ x: { shape: { type: 'integer' }, default: 1 } }) },
  deep: { shape: object({ z: { shape: { type: 'integer' }, default: 7 } }), default: {} },
  list: { shape: { type: 'list', items: item, merge: 'atomic' } },
  map: { shape: { type: 'map', values: item } },
})

const whole = { size: 3, colour: 'red', deep: { z: 7 } }

const rows: readonly { name: string; from: JsonObject; gives: JsonObject }[] = [
  { name: 'what is missing gets its default, and defaults within it', from: {}, gives: whole },
  {
    name: 'what is there stays',
    from: { size: 0, colour: '', deep: { z: 0 } },
    gives: { size: 0, colour: '', deep: { z: 0 } },
  },
  {
    name: 'null gets the default unless it may be null',
    from: { size: null, colour: null, deep: null },
    gives: { ...whole, colour: null },
  },
  {
    name: 'objects that are there are completed, also in lists and maps',
    from: { plain: {}, list: [{}, { x: 5 }], map: { a: {} } },
    gives: { ...whole, plain: { x: 1 }, list: [{ x: 1 }, { x: 5 }], map: { a: { x: 1 } } },
  },
  {
    name: 'wrong types stay for validation',
    from: { deep: 4, list: 'x', map: [], plain: null },
    gives: { ...whole, deep: 4, list: 'x', map: [], plain: null },
  },
]
each(rows, ({ from, gives }) => {
  assert.deepEqual(setDefaults(from, shape), gives)
})

const builtIns: readonly { name: string; kind: string; from: JsonObject; gives: JsonObject }[] = [
  {
    name: 'of a pod, what Go writes anyway and the protocol of ports',
    kind: 'v1 Pod',
    from: { spec: { containers: [{ name: 'a', ports: [{ containerPort: 80 }] }] } },
    gives: {
      metadata: {},
      spec: {
        containers: [{ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP' }], resources: {} }],
      },
      status: {},
    },
  },
  {
    name: 'of a replica set, its count of none',
    kind: 'apps/v1 ReplicaSet',
    from: {},
    gives: { metadata: {}, spec: {}, status: { replicas: 0 } },
  },
  { name: 'of a config map, no data', kind: 'v1 ConfigMap', from: {}, gives: { metadata: {} } },
]
each(builtIns, ({ kind, from, gives }) => {
  const [apiVersion = '', name = ''] = kind.split(' ')
  const shape = shapeOf(apiVersion, name)
  assert.ok(shape)
  const complete = setDefaults(from, shape)
  const { template: _, ...spec } = (complete['spec'] ?? {}) as JsonObject
  assert.deepEqual(complete['spec'] === undefined ? complete : { ...complete, spec }, gives)
})

void test('what is complete is the same object', () => {
  const complete = setDefaults({ list: [{}] }, shape)
  assert.equal(setDefaults(complete, shape), complete)
})
