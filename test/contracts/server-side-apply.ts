/** Server-side apply, as the agent publishes PodAllocations. */
import assert from 'node:assert/strict'

import { apiVersionOf } from '../../src/apis/object.ts'
import { type PodAllocation, podAllocations } from '../../src/apis/pod-allocation.ts'
import type { Kube } from '../../src/ports/kube.ts'
import type { Case } from './case.ts'
import { managersOf, refused } from './expect.ts'
import { allocation, configMaps } from './objects.ts'

const applied = (namespace: string, spec: Record<string, unknown>) => ({
  apiVersion: apiVersionOf(podAllocations),
  kind: 'PodAllocation',
  metadata: { name: 'a', namespace },
  spec: { podName: 'a', ...spec },
})

const apply = async (
  kube: Kube,
  namespace: string,
  by: { manager: string; spec: Record<string, unknown>; force?: boolean },
): Promise<PodAllocation> =>
  kube.patch(
    podAllocations,
    { namespace, name: 'a' },
    {
      type: 'apply',
      body: applied(namespace, by.spec),
      fieldManager: by.manager,
      ...(by.force !== undefined && { force: by.force }),
    },
  )

export const applyCases: readonly Case[] = [
  {
    name: 'what is not there is created, with generation 1',
    run: async ({ kube }, { namespace }) => {
      const made = await apply(kube, namespace, {
        manager: 'agent',
        spec: { desiredCPURequest: '100m' },
      })
      assert.equal(made.metadata.generation, 1)
      assert.deepEqual(made.spec, { podName: 'a', desiredCPURequest: '100m', urgency: 'normal' })
    },
  },
  {
    name: 'who applied is written down with the fields',
    run: async ({ kube }, { namespace }) => {
      const made = await apply(kube, namespace, {
        manager: 'agent',
        spec: { desiredCPURequest: '100m' },
      })
      assert.deepEqual(
        managersOf(made).map(({ manager, operation, apiVersion, fieldsV1 }) => ({
          manager,
          operation,
          apiVersion,
          fieldsV1,
        })),
        [
          {
            manager: 'agent',
            operation: 'Apply',
            apiVersion: 'allocation.mbcas.io/v1alpha1',
            fieldsV1: { 'f:spec': { 'f:desiredCPURequest': {}, 'f:podName': {} } },
          },
        ],
      )
    },
  },
  {
    name: 'the same again changes nothing',
    run: async ({ kube }, { namespace }) => {
      const by = { manager: 'agent', spec: { desiredCPURequest: '100m' } }
      const first = await apply(kube, namespace, by)
      const second = await apply(kube, namespace, by)
      assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion)
    },
  },
  {
    name: 'what is no longer applied goes',
    run: async ({ kube }, { namespace }) => {
      const spec = { desiredCPURequest: '100m', desiredCPULimit: '200m', podUID: 'u' }
      await apply(kube, namespace, { manager: 'agent', spec })
      const { desiredCPULimit: _, ...less } = spec
      const now = await apply(kube, namespace, { manager: 'agent', spec: less })
      assert.equal(now.spec.desiredCPULimit, undefined)
      assert.equal(now.spec.podUID, 'u')
    },
  },
  {
    name: 'what another also applied stays when one no longer does',
    run: async ({ kube }, { namespace }) => {
      const spec = { desiredCPURequest: '100m', desiredCPULimit: '200m' }
      await apply(kube, namespace, { manager: 'agent', spec })
      await apply(kube, namespace, { manager: 'other', spec })
      const now = await apply(kube, namespace, {
        manager: 'agent',
        spec: { desiredCPURequest: '100m' },
      })
      assert.equal(now.spec.desiredCPULimit, '200m')
    },
  },
  {
    name: 'a field of another applier with another value is a conflict',
    run: async ({ kube }, { namespace }) => {
      await apply(kube, namespace, { manager: 'agent', spec: { desiredCPURequest: '100m' } })
      await refused(
        apply(kube, namespace, { manager: 'other', spec: { desiredCPURequest: '150m' } }),
        {
          code: 409,
          reason: 'Conflict',
          said: 'Apply failed with 1 conflict: conflict with "agent": .spec.desiredCPURequest',
          causes: [
            {
              reason: 'FieldManagerConflict',
              message: 'conflict with "agent"',
              field: '.spec.desiredCPURequest',
            },
          ],
        },
      )
    },
  },
  {
    name: 'two conflicts, one with a writer that did not apply',
    run: async ({ kube }, { namespace }) => {
      await kube.create(podAllocations, allocation(namespace, 'a'), { fieldManager: 'maker' })
      const spec = { desiredCPURequest: '150m', desiredCPULimit: '300m' }
      await refused(apply(kube, namespace, { manager: 'agent', spec }), {
        code: 409,
        reason: 'Conflict',
        said: /^Apply failed with 2 conflicts: conflicts with "maker" using allocation\.mbcas\.io\/v1alpha1( at \S+)?:\n- \.spec\.desiredCPULimit\n- \.spec\.desiredCPURequest$/,
      })
    },
  },
  {
    name: 'force takes the field over',
    run: async ({ kube }, { namespace }) => {
      await apply(kube, namespace, { manager: 'agent', spec: { desiredCPURequest: '100m' } })
      const now = await apply(kube, namespace, {
        manager: 'other',
        spec: { desiredCPURequest: '150m' },
        force: true,
      })
      assert.equal(now.spec.desiredCPURequest, '150m')
      const fieldsOf = (name: string) =>
        managersOf(now).find(({ manager }) => manager === name)?.fieldsV1
      assert.deepEqual(fieldsOf('agent'), { 'f:spec': { 'f:podName': {} } })
      assert.deepEqual(fieldsOf('other'), {
        'f:spec': { 'f:desiredCPURequest': {}, 'f:podName': {} },
      })
    },
  },
  {
    name: 'a list with keys is merged by them',
    run: async ({ kube }, { namespace }) => {
      const of = (name: string) => ({ containers: [{ name, desiredCPURequest: '50m' }] })
      await apply(kube, namespace, { manager: 'agent', spec: of('x') })
      const now = await apply(kube, namespace, { manager: 'other', spec: of('y') })
      assert.deepEqual(
        now.spec.containers?.map(({ name }) => name),
        ['x', 'y'],
      )
    },
  },
  {
    name: 'a status is applied through its subresource',
    run: async ({ kube }, { namespace }) => {
      await kube.create(podAllocations, allocation(namespace, 'a'))
      const told = await kube.patch(
        podAllocations,
        { namespace, name: 'a', subresource: 'status' },
        {
          type: 'apply',
          body: {
            apiVersion: apiVersionOf(podAllocations),
            kind: 'PodAllocation',
            status: { phase: 'Applied' },
          },
          fieldManager: 'teller',
        },
      )
      assert.equal(told.status?.phase, 'Applied')
      assert.equal(managersOf(told).find((one) => one.manager === 'teller')?.subresource, 'status')
    },
  },
  {
    name: 'without a field manager it is refused',
    run: async ({ kube }, { namespace }) => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace } }
      const patch = { type: 'apply', body, fieldManager: '' } as const
      await refused(kube.patch(configMaps, { namespace, name: 'a' }, patch), {
        code: 422,
        reason: 'Invalid',
        said: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      })
    },
  },
  {
    name: 'without a kind it is refused',
    run: async ({ kube }, { namespace }) => {
      const patch = { type: 'apply', body: { data: {} }, fieldManager: 'agent' } as const
      await refused(kube.patch(configMaps, { namespace, name: 'a' }, patch), {
        code: 400,
        reason: 'BadRequest',
        said: 'invalid object type: /, Kind=',
      })
    },
  },
  {
    name: 'a field that the schema does not know is refused',
    run: async ({ kube }, { namespace }) => {
      const body = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', namespace },
        nonsense: 1,
      }
      const patch = { type: 'apply', body, fieldManager: 'agent' } as const
      await refused(kube.patch(configMaps, { namespace, name: 'a' }, patch), {
        code: 500,
        reason: 'InternalError',
        said: `failed to create typed patch object (${namespace}/a; /v1, Kind=ConfigMap): .nonsense: field not declared in schema`,
      })
    },
  },
]
