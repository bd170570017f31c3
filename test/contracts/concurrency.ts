/** Versions: optimistic concurrency, generation, and the status subresource of our CRD. */
import assert from 'node:assert/strict'

import { podAllocations } from '../../src/apis/pod-allocation.ts'
import type { Case } from './case.ts'
import { refused } from './expect.ts'
import { allocation, configMap, configMaps } from './objects.ts'

const modified =
  'the object has been modified; please apply your changes to the latest version and try again'

export const concurrencyCases: readonly Case[] = [
  {
    name: 'an update that saw the newest version is done, and has a newer one',
    run: async ({ kube }, { namespace }) => {
      const created = await kube.create(configMaps, configMap(namespace, 'a'))
      const updated = await kube.update(configMaps, { ...created, data: { a: 'b' } })
      const [before, after] = [created, updated].map((one) => Number(one.metadata.resourceVersion))
      assert.ok((after ?? 0) > (before ?? 0))
      assert.equal(updated.metadata.uid, created.metadata.uid)
    },
  },
  {
    name: 'an update that saw an older version is refused',
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(configMaps, configMap(namespace, 'a'))
      await kube.update(configMaps, { ...old, data: { a: 'b' } })
      await refused(kube.update(configMaps, { ...old, data: { a: 'c' } }), {
        code: 409,
        reason: 'Conflict',
        said: `Operation cannot be fulfilled on configmaps "a": ${modified}`,
      })
    },
  },
  {
    name: 'an update of a PodAllocation that saw an older version is refused',
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(podAllocations, allocation(namespace, 'a'))
      const spec = { ...old.spec, desiredCPURequest: '150m' }
      await kube.update(podAllocations, { ...old, spec })
      await refused(kube.update(podAllocations, { ...old, spec }), {
        code: 409,
        reason: 'Conflict',
        said: `Operation cannot be fulfilled on podallocations.allocation.mbcas.io "a": ${modified}`,
      })
    },
  },
  {
    name: 'an update without a version overwrites',
    run: async ({ kube }, { namespace }) => {
      await kube.create(configMaps, configMap(namespace, 'a', { data: { a: 'b' } }))
      const { data } = await kube.update(
        configMaps,
        configMap(namespace, 'a', { data: { c: 'd' } }),
      )
      assert.deepEqual(data, { c: 'd' })
    },
  },
  {
    name: 'an update of a PodAllocation without a version is refused',
    run: async ({ kube }, { namespace }) => {
      await kube.create(podAllocations, allocation(namespace, 'a'))
      await refused(kube.update(podAllocations, allocation(namespace, 'a')), {
        code: 422,
        reason: 'Invalid',
        said: 'podallocations.allocation.mbcas.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      })
    },
  },
  {
    name: 'an update with another uid is refused',
    run: async ({ kube }, { namespace }) => {
      const { metadata } = await kube.create(configMaps, configMap(namespace, 'a'))
      const uid = '00000000-0000-4000-8000-000000000000'
      await refused(kube.update(configMaps, { metadata: { namespace, name: 'a', uid } }), {
        code: 409,
        reason: 'Conflict',
        said: new RegExp(
          `^Operation cannot be fulfilled on configmaps "a": .*Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}$`,
        ),
      })
    },
  },
  {
    name: 'an update that changes nothing leaves the version',
    run: async ({ kube }, { namespace }) => {
      const created = await kube.create(podAllocations, allocation(namespace, 'a'))
      const updated = await kube.update(podAllocations, created)
      assert.equal(updated.metadata.resourceVersion, created.metadata.resourceVersion)
    },
  },
  {
    name: 'of two updates of the same version one is done',
    run: async ({ kube }, { namespace }) => {
      const old = await kube.create(configMaps, configMap(namespace, 'a'))
      const results = await Promise.allSettled(
        ['x', 'y', 'z'].map(async (a) => kube.update(configMaps, { ...old, data: { a } })),
      )
      const done = results.filter(({ status }) => status === 'fulfilled')
      assert.equal(done.length, 1)
    },
  },
  {
    name: 'the generation of a PodAllocation counts changes of its spec only',
    run: async ({ kube }, { namespace }) => {
      const at = { namespace, name: 'a' }
      const created = await kube.create(podAllocations, allocation(namespace, 'a'))
      assert.equal(created.metadata.generation, 1)
      const labelled = await kube.patch(podAllocations, at, {
        type: 'merge',
        body: { metadata: { labels: { a: 'b' } } },
      })
      assert.equal(labelled.metadata.generation, 1)
      const changed = await kube.patch(podAllocations, at, {
        type: 'merge',
        body: { spec: { desiredCPURequest: '150m' } },
      })
      assert.equal(changed.metadata.generation, 2)
      const told = await kube.patch(
        podAllocations,
        { ...at, subresource: 'status' },
        { type: 'merge', body: { status: { phase: 'Applied' } } },
      )
      assert.equal(told.metadata.generation, 2)
      assert.notEqual(told.metadata.resourceVersion, changed.metadata.resourceVersion)
    },
  },
  {
    name: 'a status that is created with its object is dropped',
    run: async ({ kube }, { namespace }) => {
      const created = await kube.create(podAllocations, {
        ...allocation(namespace, 'a'),
        status: { phase: 'Applied' },
      })
      assert.equal(created.status, undefined)
    },
  },
  {
    name: 'a write of the object leaves the status, a write of the status leaves the spec',
    run: async ({ kube }, { namespace }) => {
      const at = { namespace, name: 'a' }
      await kube.create(podAllocations, allocation(namespace, 'a'))
      const both = {
        type: 'merge',
        body: { spec: { desiredCPURequest: '150m' }, status: { phase: 'Failed' } },
      } as const
      const written = await kube.patch(podAllocations, at, both)
      assert.equal(written.spec.desiredCPURequest, '150m')
      assert.equal(written.status, undefined)
      const other = { spec: { desiredCPURequest: '180m' }, status: { phase: 'Applied' } }
      const told = await kube.patch(
        podAllocations,
        { ...at, subresource: 'status' },
        { type: 'merge', body: other },
      )
      assert.equal(told.spec.desiredCPURequest, '150m')
      assert.equal(told.status?.phase, 'Applied')
    },
  },
  {
    name: 'a status is replaced by an update of the subresource',
    run: async ({ kube }, { namespace }) => {
      const created = await kube.create(podAllocations, allocation(namespace, 'a'))
      const first = await kube.update(
        podAllocations,
        { ...created, status: { phase: 'Pending', attempts: 1 } },
        { subresource: 'status' },
      )
      const second = await kube.update(
        podAllocations,
        { ...first, status: { phase: 'Applied' } },
        { subresource: 'status' },
      )
      assert.deepEqual(second.status, { phase: 'Applied' })
    },
  },
]
