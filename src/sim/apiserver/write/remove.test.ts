import assert from 'node:assert/strict'
import { test } from 'node:test'

import { configMaps, newServer } from '../../../../test/sim/api-server.ts'
import type { DeleteBy } from '../api.ts'
import type { ResourceType } from '../resource-type.ts'

/** Waits for its kubelet, as a pod does. */
const patient: ResourceType = {
  ...configMaps,
  strategy: { graceSeconds: (_, asked) => asked ?? 30 },
}
const place = { namespace: 'default', name: 'a' }

void test('a second deletion can only shorten the time that is left', () => {
  const { api } = newServer({ types: [patient] })
  api.create(patient, { metadata: place }, { manager: 'test' })
  const remove = (by: DeleteBy) => {
    const { deletionTimestamp, deletionGracePeriodSeconds } = api.remove(
      patient,
      place,
      by,
    ).metadata
    return `${deletionGracePeriodSeconds} s, ${deletionTimestamp}`
  }
  assert.equal(remove({}), '30 s, 2026-01-01T00:00:30Z')
  assert.equal(remove({ graceSeconds: 7 }), '7 s, 2026-01-01T00:00:07Z')
  assert.equal(remove({ graceSeconds: 70 }), '7 s, 2026-01-01T00:00:07Z')
  assert.equal(remove({}), '7 s, 2026-01-01T00:00:07Z')
  assert.notEqual(api.find(patient, place), undefined)
  assert.equal(remove({ graceSeconds: 0 }), '0 s, 2026-01-01T00:00:00Z')
  assert.equal(api.find(patient, place), undefined)
})

void test('a namespace goes when the finalizers of its spec are gone', () => {
  const namespaces: ResourceType = {
    ...configMaps,
    kind: 'Namespace',
    plural: 'namespaces',
    namespaced: false,
    shape: { ...configMaps.shape, keepsUnknown: true },
  }
  const { api } = newServer({ types: [namespaces] })
  const spec = { finalizers: ['kubernetes'] }
  api.create(namespaces, { metadata: { name: 'a' }, spec }, { manager: 'test' })
  const going = api.remove(namespaces, { name: 'a' })
  assert.deepEqual(going.status, { phase: 'Terminating' })
  api.update(namespaces, { ...going, spec: {} }, { manager: 'test', subresource: 'finalize' })
  assert.equal(api.find(namespaces, { name: 'a' }), undefined)
})
