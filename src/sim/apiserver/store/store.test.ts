import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { configMaps } from '../../../../test/sim/api-server.ts'
import type { Change } from '../api.ts'
import { type ApiObject, keyOf, placeOf } from '../object.ts'
import { createStore } from './store.ts'

const object = (namespace: string, name: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, uid: name, creationTimestamp: '' },
})

function newStore(historyLimit?: number) {
  const tasks: (() => void)[] = []
  const store = createStore({
    soon: (task) => tasks.push(task),
    ...(historyLimit !== undefined && { historyLimit }),
  })
  const settle = () => {
    for (const task of tasks.splice(0)) task()
  }
  return { store, settle }
}

const keys = (objects: readonly ApiObject[] | undefined) =>
  objects?.map((one) => keyOf(placeOf(one)))

void test('a list is in the order of bytes of namespace/name', () => {
  const { store } = newStore()
  for (const [namespace, name] of [
    ['a', 'x'],
    ['a-b', 'x'],
    ['a', 'b'],
    ['a', 'b-c'],
  ] as const) {
    store.put(configMaps, object(namespace, name))
  }
  assert.deepEqual(keys(store.list(configMaps)), ['a-b/x', 'a/b', 'a/b-c', 'a/x'])
  assert.deepEqual(keys(store.list(configMaps, 'a')), ['a/b', 'a/b-c', 'a/x'])
})

void test('listeners are told after the write, in order, and only of what came after them', () => {
  const { store, settle } = newStore()
  const told: string[] = []
  const tell = ({ type, version }: Change) => told.push(`${type} ${version}`)
  store.put(configMaps, object('a', 'before'))
  const stop = store.subscribe(configMaps, tell)
  const stored = store.put(configMaps, object('a', 'x'))
  store.put(configMaps, stored)
  store.delete(configMaps, stored)
  assert.deepEqual(told, [])
  settle()
  assert.deepEqual(told, ['ADDED 4', 'MODIFIED 5', 'DELETED 6'])
  stop()
  store.put(configMaps, object('a', 'y'))
  settle()
  assert.equal(told.length, 3)
})

void test('what is forgotten is not told', () => {
  const { store } = newStore(4)
  for (let i = 0; i < 8; i += 1) store.put(configMaps, object('a', 'x'))
  const { oldest, since } = store.history(configMaps)
  assert.equal(oldest(), 6)
  assert.equal(since(5), undefined)
  assert.deepEqual(
    since(6)?.map(({ version }) => version),
    [7, 8, 9, 10],
  )
  assert.equal(store.listAt(configMaps, 5), undefined)
})

const writes = fc.array(
  fc.record({
    namespace: fc.constantFrom('a', 'a-b', 'b'),
    name: fc.constantFrom('x', 'y', 'z', 'x-1'),
    deletes: fc.boolean(),
  }),
  { maxLength: 40 },
)

void test('a list of the past is the list as it was', () => {
  fc.assert(
    fc.property(writes, (steps) => {
      const { store } = newStore()
      const seen = new Map([[store.version(), store.list(configMaps)]])
      for (const { namespace, name, deletes } of steps) {
        const known = store.get(configMaps, { namespace, name })
        if (!deletes) store.put(configMaps, object(namespace, name))
        else if (known !== undefined) store.delete(configMaps, known)
        seen.set(store.version(), store.list(configMaps))
      }
      for (const [version, list] of seen) {
        assert.deepEqual(store.listAt(configMaps, version), list)
        assert.deepEqual(
          store.listAt(configMaps, version, 'a'),
          list.filter(({ metadata }) => metadata.namespace === 'a'),
        )
      }
    }),
  )
})
