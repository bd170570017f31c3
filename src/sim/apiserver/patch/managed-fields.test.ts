import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { ApiObject, JsonObject, ManagedFields } from '../object.ts'
import type { ObjectShape } from '../shape.ts'
import { shapeOf } from '../types/shape-of.ts'
import { updateManagedFields } from './managed-fields.ts'

const builtIn = (apiVersion: string, kind: string): ObjectShape => {
  const shape = shapeOf(apiVersion, kind)
  assert.ok(shape)
  return shape
}
const shape = builtIn('v1', 'ConfigMap')
const second = (at: number): string => `1970-01-01T00:00:0${at}Z`

const configMap = (data: JsonObject, meta: JsonObject = {}): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', ...meta },
    data,
  }) as unknown as ApiObject

const write = (
  old: ApiObject | undefined,
  next: ApiObject,
  by: { readonly manager: string; readonly at: number },
): ApiObject =>
  updateManagedFields({
    old,
    next,
    manager: by.manager,
    apiVersion: 'v1',
    shape,
    now: by.at * 1000,
  })

const briefly = ({ metadata }: ApiObject): unknown =>
  metadata.managedFields?.map(({ manager, time, fieldsV1 }) => [manager, time, fieldsV1])
const maker = { manager: 'maker', at: 1 }
const made = write(undefined, configMap({ a: '1', b: '1' }), maker)

void describe('updateManagedFields', () => {
  void test('who creates owns all that it sent', () => {
    const fields = { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }
    assert.deepEqual(briefly(made), [['maker', second(1), fields]])
  })

  void test('a write takes what it changes, and only the writer gets a new time', () => {
    const next = write(made, { ...made, data: { a: '2', b: '1' } }, { manager: 'other', at: 2 })
    assert.deepEqual(briefly(next), [
      ['maker', second(1), { 'f:data': { '.': {}, 'f:b': {} } }],
      ['other', second(2), { 'f:data': { 'f:a': {} } }],
    ])
  })

  void test('what is gone leaves everybody, and the time of the one who removed it', () => {
    const next = write(made, { ...made, data: { a: '1' } }, { manager: 'maker', at: 2 })
    assert.deepEqual(briefly(next), [['maker', second(1), { 'f:data': { '.': {}, 'f:a': {} } }]])
    const nothing = write(next, configMap({}), { manager: 'other', at: 3 })
    assert.deepEqual(briefly(nothing), [['maker', second(1), { 'f:data': {} }]])
  })

  void test('a manager that changes its own fields keeps the set itself', () => {
    const next = write(made, { ...made, data: { a: '2', b: '1' } }, { manager: 'maker', at: 2 })
    assert.equal(next.metadata.managedFields?.[0]?.time, second(2))
    assert.equal(
      next.metadata.managedFields?.[0]?.fieldsV1,
      made.metadata.managedFields?.[0]?.fieldsV1,
    )
  })

  void test('a write that changes nothing gives the object itself, also from a copy', () => {
    const copy = structuredClone(made)
    assert.equal(write(made, made, { manager: 'other', at: 2 }), made)
    const { managedFields } = write(made, copy, { manager: 'other', at: 2 }).metadata
    assert.equal(managedFields, made.metadata.managedFields)
  })

  void test('entries that a client sends are taken', () => {
    const entry: ManagedFields = {
      manager: 'new',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:a': {} } },
    }
    const next = { ...made, metadata: { ...made.metadata, managedFields: [entry] } }
    assert.deepEqual(write(made, next, maker).metadata.managedFields, [entry])
  })

  void test('entries that make no sense, or none at all, leave those of the object', () => {
    const nonsense = [{ manager: 'x', operation: 'Zap' }] as unknown as readonly ManagedFields[]
    const next = { ...made, metadata: { ...made.metadata, managedFields: nonsense } }
    assert.deepEqual(briefly(write(made, next, maker)), briefly(made))
    assert.deepEqual(briefly(write(made, configMap({ a: '1', b: '1' }), maker)), briefly(made))
  })

  void test('an empty list clears them, and then nothing is written down', () => {
    for (const managedFields of [[], [{}]]) {
      const cleared = write(made, configMap({ a: '1' }, { managedFields }), maker)
      assert.equal('managedFields' in cleared.metadata, false)
      const later = write(cleared, configMap({ a: '2' }), maker)
      assert.equal('managedFields' in later.metadata, false)
    }
  })

  void test('the eleventh updater makes the two oldest one', () => {
    let live = made
    for (let index = 0; index < 10; index += 1) {
      const data = { ...(live['data'] as JsonObject), [`k${index}`]: '1' }
      live = write(live, { ...live, data }, { manager: `m${index}`, at: 2 })
    }
    const managers = live.metadata.managedFields?.map(({ manager }) => manager)
    assert.deepEqual(managers, [
      'ancient-changes',
      'm1',
      'm2',
      'm3',
      'm4',
      'm5',
      'm6',
      'm7',
      'm8',
      'm9',
    ])
    assert.deepEqual(live.metadata.managedFields?.[0], {
      manager: 'ancient-changes',
      operation: 'Update',
      apiVersion: 'v1',
      time: second(2),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {}, 'f:k0': {} } },
    })
  })

  void test('what has no shape is owned field by field, its lists as one', () => {
    const free: ObjectShape = {
      type: 'object',
      fields: new Map([['spec', { shape: { type: 'any' } }]]),
    }
    const next = { ...configMap({}), spec: { a: { b: 1 }, c: [1] } }
    const owned = updateManagedFields({
      old: undefined,
      next,
      manager: 'm',
      apiVersion: 'v1',
      shape: free,
      now: 0,
    })
    assert.deepEqual(owned.metadata.managedFields?.[0]?.fieldsV1, {
      'f:spec': { '.': {}, 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} },
    })
  })

  void test('a resize owns resources alone, a status no spec', () => {
    const pod = (cpu: string, phase: string, label: string): ApiObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', uid: 'u', creationTimestamp: 't', labels: { a: label } },
      spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] },
      status: { phase },
    })
    const common = { apiVersion: 'v1', shape: builtIn('v1', 'Pod'), now: 0 }
    const old = updateManagedFields({
      ...common,
      old: undefined,
      next: pod('1', 'x', 'x'),
      manager: 'm',
    })
    const through = (subresource: string): unknown =>
      updateManagedFields({
        ...common,
        old,
        next: pod('2', 'y', 'y'),
        manager: 'n',
        subresource,
      }).metadata.managedFields?.find(({ manager }) => manager === 'n')?.fieldsV1
    const cpu = { 'f:resources': { 'f:requests': { 'f:cpu': {} } } }
    assert.deepEqual(through('resize'), { 'f:spec': { 'f:containers': { 'k:{"name":"c"}': cpu } } })
    const labels = { 'f:labels': { 'f:a': {} } }
    assert.deepEqual(through('status'), { 'f:metadata': labels, 'f:status': { 'f:phase': {} } })
  })
})
