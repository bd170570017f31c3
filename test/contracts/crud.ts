/** Objects as the server keeps them: identity and refusals. */
import assert from 'node:assert/strict'

import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import type { Case } from './case.ts'
import { refused, untilGone } from './expect.ts'
import { allocation, configMap, configMaps, waitingPod } from './objects.ts'

export const crudCases: readonly Case[] = [
  {
    name: 'a created object has uid, resourceVersion and creationTimestamp',
    run: async ({ kube }, { namespace }) => {
      const { metadata, data } = await kube.create(
        configMaps,
        configMap(namespace, 'a', { data: { key: 'value' } }),
      )
      assert.match(metadata.uid ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      assert.match(metadata.resourceVersion ?? '', /^[1-9]\d*$/)
      assert.match(metadata.creationTimestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      assert.equal(metadata.generation, undefined)
      assert.deepEqual(data, { key: 'value' })
    },
  },
  {
    name: 'get answers what create answered',
    run: async ({ kube }, { namespace }) => {
      const created = await kube.create(configMaps, configMap(namespace, 'a'))
      assert.deepEqual(await kube.get(configMaps, { namespace, name: 'a' }), created)
      assert.equal(created.apiVersion, 'v1')
      assert.equal(created.kind, 'ConfigMap')
    },
  },
  {
    name: 'generateName is completed by five characters',
    run: async ({ kube }, { namespace }) => {
      const { metadata } = await kube.create(configMaps, {
        metadata: { namespace, generateName: 'made-' },
      })
      assert.match(metadata.name ?? '', /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    },
  },
  {
    name: 'a second one of the same name is refused',
    run: async ({ kube }, { namespace }) => {
      await kube.create(configMaps, configMap(namespace, 'a'))
      await refused(kube.create(configMaps, configMap(namespace, 'a')), {
        code: 409,
        reason: 'AlreadyExists',
        said: 'configmaps "a" already exists',
      })
    },
  },
  {
    name: 'a second PodAllocation names its group',
    run: async ({ kube }, { namespace }) => {
      await kube.create(podAllocations, allocation(namespace, 'a'))
      await refused(kube.create(podAllocations, allocation(namespace, 'a')), {
        code: 409,
        reason: 'AlreadyExists',
        said: 'podallocations.allocation.mbcas.io "a" already exists',
      })
    },
  },
  {
    name: 'what is not there is not found by get',
    run: async ({ kube }, { namespace }) => {
      await refused(kube.get(pods, { namespace, name: 'nobody' }), {
        code: 404,
        reason: 'NotFound',
        said: 'pods "nobody" not found',
      })
    },
  },
  {
    name: 'a PodAllocation that is not there is not found by its group',
    run: async ({ kube }, { namespace }) => {
      await refused(kube.get(podAllocations, { namespace, name: 'nobody' }), {
        code: 404,
        reason: 'NotFound',
        said: 'podallocations.allocation.mbcas.io "nobody" not found',
      })
    },
  },
  {
    name: 'what is not there is not found by delete and patch',
    run: async ({ kube }, { namespace }) => {
      const said = { code: 404, reason: 'NotFound', said: 'configmaps "nobody" not found' }
      await refused(kube.remove(configMaps, { namespace, name: 'nobody' }), said)
      const patch = { type: 'merge', body: { data: { a: 'b' } } } as const
      await refused(kube.patch(configMaps, { namespace, name: 'nobody' }, patch), said)
    },
  },
  {
    name: 'a type that is not there is told from an object that is not',
    run: async ({ kube }, { namespace }) => {
      const missing = { ...podAllocations, plural: 'nothings', kind: 'Nothing' }
      const said = 'the server could not find the requested resource'
      await refused(kube.list(missing, { namespace }), { code: 404, reason: 'NotFound', said })
    },
  },
  {
    name: 'an object of a namespace that is not there is refused',
    run: async ({ kube }) => {
      await refused(kube.create(configMaps, configMap('no-such-namespace', 'a')), {
        code: 404,
        reason: 'NotFound',
        said: 'namespaces "no-such-namespace" not found',
      })
    },
  },
  {
    name: 'an invalid name is refused with its cause',
    run: async ({ kube }, { namespace }) => {
      const rule =
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
      await refused(kube.create(configMaps, configMap(namespace, 'Big')), {
        code: 422,
        reason: 'Invalid',
        said: `ConfigMap "Big" is invalid: metadata.name: Invalid value: "Big": ${rule}`,
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: `Invalid value: "Big": ${rule}`,
            field: 'metadata.name',
          },
        ],
      })
    },
  },
  {
    name: 'a pod has generation 1, phase Pending and its QoS class from the start',
    run: async ({ kube }, { namespace }) => {
      const { metadata, status } = await kube.create(pods, waitingPod(namespace))
      assert.equal(metadata.generation, 1)
      assert.equal(status?.phase, 'Pending')
      assert.equal(status?.qosClass, 'Burstable')
    },
  },
  {
    name: 'a deletion with another uid is refused',
    run: async ({ kube }, { namespace }) => {
      const { metadata } = await kube.create(configMaps, configMap(namespace, 'a'))
      const uid = '00000000-0000-4000-8000-000000000000'
      await refused(kube.remove(configMaps, { namespace, name: 'a' }, { uid }), {
        code: 409,
        reason: 'Conflict',
        said: `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
      })
      await kube.remove(configMaps, { namespace, name: 'a' }, { uid: metadata.uid ?? '' })
      await untilGone(async () => kube.get(configMaps, { namespace, name: 'a' }))
    },
  },
  {
    name: 'a deletion of an old version is refused',
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(configMaps, configMap(namespace, 'a'))
      const now = await kube.update(configMaps, { ...old, data: { a: 'b' } })
      const { resourceVersion = '' } = old.metadata
      await refused(kube.remove(configMaps, { namespace, name: 'a' }, { resourceVersion }), {
        code: 409,
        reason: 'Conflict',
        said: `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${now.metadata.resourceVersion}). The object might have been modified`,
      })
    },
  },
  {
    name: 'a finalizer holds what is deleted until it is taken away',
    run: async ({ kube }, { namespace }) => {
      const at = { namespace, name: 'a' }
      const held = configMap(namespace, 'a')
      await kube.create(configMaps, {
        ...held,
        metadata: { ...held.metadata, finalizers: ['mbcas.io/hold'] },
      })
      await kube.remove(configMaps, at)
      const { metadata } = await kube.get(configMaps, at)
      assert.match(metadata.deletionTimestamp ?? '', /^\d{4}-/)
      const body = { metadata: { finalizers: null } }
      await kube.patch(configMaps, at, { type: 'merge', body })
      await untilGone(async () => kube.get(configMaps, at))
    },
  },
  {
    name: 'a deleted pod that nothing runs is gone at once',
    run: async ({ kube }, { namespace }) => {
      await kube.create(pods, waitingPod(namespace))
      await kube.remove(pods, { namespace, name: 'p' })
      await untilGone(async () => kube.get(pods, { namespace, name: 'p' }))
    },
  },
]
