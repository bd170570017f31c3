/** PodAllocation: defaults, pruning, and each rule of its CRD with its message. */
import assert from 'node:assert/strict'

import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { ask } from './ask.ts'
import type { Case } from './case.ts'
import { partOf, refused } from './expect.ts'
import { allocation, newObject } from './objects.ts'

type Wrong = {
  readonly name: string
  readonly spec: Record<string, unknown>
  readonly said: string | RegExp
}

/** Of a PodAllocation `a` with desiredCPURequest 100m and desiredCPULimit 200m. */
const wrongs: readonly Wrong[] = [
  {
    name: 'name and podName differ',
    spec: { podName: 'b' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: <nil>: Invalid value: metadata.name must be spec.podName: a pod has one PodAllocation, named as the pod',
  },
  {
    name: 'podName is empty',
    spec: { podName: '' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [spec.podName: Invalid value: "": spec.podName in body should be at least 1 chars long, <nil>: Invalid value: metadata.name must be spec.podName: a pod has one PodAllocation, named as the pod]',
  },
  {
    name: 'podName is missing',
    spec: { podName: undefined },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [spec.podName: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  },
  {
    name: 'nothing is desired',
    spec: { desiredCPURequest: undefined, desiredCPULimit: undefined },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec: Invalid value: needs desiredCPURequest, desiredCPULimit or containers: nothing is desired',
  },
  {
    name: 'the request is above the limit',
    spec: { desiredCPURequest: '300m' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec: Invalid value: desiredCPURequest must be at most desiredCPULimit: Kubernetes refuses a request above the limit',
  },
  {
    name: 'the request is 0',
    spec: { desiredCPURequest: '0' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec.desiredCPURequest: Invalid value: "0": must be an amount of CPU above 0, such as 250m, "1.5" or 2',
  },
  {
    name: 'the request is negative',
    spec: { desiredCPURequest: '-5m' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec.desiredCPURequest: Invalid value: "-5m": must be an amount of CPU above 0, such as 250m, "1.5" or 2',
  },
  {
    name: 'the limit is 0 as a number',
    spec: { desiredCPURequest: undefined, desiredCPULimit: 0 },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec.desiredCPULimit: Invalid value: 0: must be an amount of CPU above 0, such as 250m, "1.5" or 2',
  },
  {
    name: 'a quantity cannot be read',
    spec: { desiredCPURequest: 'much' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [spec: Invalid value: "object": quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\' evaluating rule: desiredCPURequest must be at most desiredCPULimit: Kubernetes refuses a request above the limit, spec.desiredCPURequest: Invalid value: "": quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\' evaluating rule: must be an amount of CPU above 0, such as 250m, "1.5" or 2]',
  },
  {
    name: 'a quantity is a fraction',
    spec: { desiredCPULimit: 1.5 },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [spec.desiredCPULimit: Invalid value: "number": spec.desiredCPULimit in body must be of type integer,string: "number", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  },
  {
    name: 'the urgency is unknown',
    spec: { urgency: 'panic' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [spec.urgency: Unsupported value: "panic": supported values: "normal", "guardrail", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  },
  {
    name: 'a container is named twice',
    spec: {
      containers: [
        { name: 'x', desiredCPURequest: '1m' },
        { name: 'x', desiredCPULimit: '2m' },
      ],
    },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec.containers[1]: Duplicate value: {"name":"x"}',
  },
  {
    name: 'a container desires nothing',
    spec: { containers: [{ name: 'x' }] },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec.containers[0]: Invalid value: needs desiredCPURequest or desiredCPULimit; leave the container out to keep it',
  },
  {
    name: "a container's request is above its limit",
    spec: { containers: [{ name: 'x', desiredCPURequest: 2, desiredCPULimit: '1500m' }] },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec.containers[0]: Invalid value: desiredCPURequest must be at most desiredCPULimit: Kubernetes refuses a request above the limit',
  },
  {
    name: 'there are 16 containers',
    spec: {
      containers: Array.from({ length: 16 }, (_, n) => ({ name: `c${n}`, desiredCPULimit: 1 })),
    },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [spec.containers: Too many: 16: must have at most 15 items, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  },
  {
    name: 'the price is negative',
    spec: { decision: { price: -1 } },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec.decision.price: Invalid value: -1: spec.decision.price in body should be greater than or equal to 0',
  },
  {
    name: 'a field has another type',
    spec: { podUID: 7 },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [spec.podUID: Invalid value: "integer": spec.podUID in body must be of type string: "integer", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  },
]

const unchanging: readonly Wrong[] = [
  {
    name: 'podName changes',
    spec: { podName: 'b' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [<nil>: Invalid value: metadata.name must be spec.podName: a pod has one PodAllocation, named as the pod, spec.podName: Invalid value: "b": podName cannot change; create a PodAllocation for the other pod]',
  },
  {
    name: 'podUID changes',
    spec: { podUID: 'other' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec: Invalid value: podUID cannot change; delete the PodAllocation of the pod that is gone',
  },
  {
    name: 'podUID goes',
    spec: { podUID: null },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec: Invalid value: podUID cannot change; delete the PodAllocation of the pod that is gone',
  },
  {
    name: 'nodeName changes',
    spec: { nodeName: 'other' },
    said: 'PodAllocation.allocation.mbcas.io "a" is invalid: spec: Invalid value: nodeName cannot change: a pod never moves to another node',
  },
]

const invalid = { code: 422, reason: 'Invalid' }

export const allocationCases: readonly Case[] = [
  ...wrongs.map(({ name, spec, said }): Case => ({
    name: `is refused where ${name}`,
    run: async ({ kube }, { namespace }) => {
      await refused(kube.create(podAllocations, allocation(namespace, 'a', spec)), {
        ...invalid,
        said,
      })
    },
  })),
  ...unchanging.map(({ name, spec, said }): Case => ({
    name: `is refused where ${name}`,
    run: async ({ kube }, { namespace }) => {
      const first = allocation(namespace, 'a', { podUID: 'one', nodeName: 'here' })
      await kube.create(podAllocations, first)
      const patch = { type: 'merge', body: { spec } } as const
      await refused(kube.patch(podAllocations, { namespace, name: 'a' }, patch), {
        ...invalid,
        said,
      })
    },
  })),
  {
    name: 'podUID and nodeName may be given later',
    run: async ({ kube }, { namespace }) => {
      await kube.create(podAllocations, allocation(namespace, 'a'))
      const body = { spec: { podUID: 'one', nodeName: 'here' } }
      const now = await kube.patch(
        podAllocations,
        { namespace, name: 'a' },
        { type: 'merge', body },
      )
      assert.equal(now.spec.podUID, 'one')
    },
  },
  {
    name: 'urgency is normal unless given',
    run: async ({ kube }, { namespace }) => {
      const made = await kube.create(podAllocations, allocation(namespace, 'a'))
      assert.equal(made.spec.urgency, 'normal')
      const other = allocation(namespace, 'b', { urgency: 'guardrail' })
      assert.equal((await kube.create(podAllocations, other)).spec.urgency, 'guardrail')
    },
  },
  {
    name: 'quantities are kept as they were written, numbers as numbers',
    run: async ({ kube }, { namespace }) => {
      const spec = { desiredCPURequest: '0.5', desiredCPULimit: 2 }
      const made = await kube.create(podAllocations, allocation(namespace, 'a', spec))
      assert.equal(made.spec.desiredCPURequest, '0.5')
      assert.equal(made.spec.desiredCPULimit, 2)
    },
  },
  {
    name: 'unknown fields are dropped',
    run: async ({ kube }, { namespace }) => {
      const { metadata, spec } = allocation(namespace, 'a')
      const odd = { metadata, spec: { ...spec, colour: 'red' }, colour: 'red' }
      const made = await kube.create(podAllocations, odd)
      assert.equal(partOf(made, 'colour'), undefined)
      assert.equal('colour' in made.spec, false)
    },
  },
  {
    name: 'unknown fields are refused where the client asks for it',
    run: async (server, { namespace }) => {
      const { metadata, spec } = allocation(namespace, 'a')
      const type = { apiVersion: 'allocation.mbcas.io/v1alpha1', kind: 'PodAllocation' }
      const body = JSON.stringify({ ...type, metadata, spec: { ...spec, colour: 'red' } })
      const path = `/apis/allocation.mbcas.io/v1alpha1/namespaces/${namespace}/podallocations?fieldValidation=Strict`
      const { code, text } = await ask(server, path, {
        method: 'POST',
        contentType: 'application/json',
        body,
      })
      assert.equal(code, 400)
      const { reason, message } = JSON.parse(text) as { reason: string; message: string }
      assert.equal(reason, 'BadRequest')
      assert.equal(
        message,
        'PodAllocation in version "v1alpha1" cannot be handled as a PodAllocation: strict decoding error: unknown field "spec.colour"',
      )
    },
  },
  {
    name: 'a status is checked, too',
    run: async ({ kube }, { namespace }) => {
      await kube.create(podAllocations, allocation(namespace, 'a'))
      const at = { namespace, name: 'a', subresource: 'status' } as const
      const body = { status: { phase: 'Perhaps' } }
      await refused(kube.patch(podAllocations, at, { type: 'merge', body }), {
        ...invalid,
        said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [status.phase: Unsupported value: "Perhaps": supported values: "Pending", "Applied", "Failed", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
      })
    },
  },
  {
    name: 'a condition needs all its fields',
    run: async ({ kube }, { namespace }) => {
      await kube.create(podAllocations, allocation(namespace, 'a'))
      const at = { namespace, name: 'a', subresource: 'status' } as const
      const body = { status: { conditions: [{ type: 'Applied', status: 'True' }] } }
      await refused(kube.patch(podAllocations, at, { type: 'merge', body }), {
        ...invalid,
        said: 'PodAllocation.allocation.mbcas.io "a" is invalid: [status.conditions[0].reason: Required value, status.conditions[0].message: Required value, status.conditions[0].lastTransitionTime: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
      })
    },
  },
  {
    name: 'a kind of another group is refused',
    run: async ({ kube }, { namespace }) => {
      const { metadata, spec } = allocation(namespace, 'a')
      const other = { apiVersion: 'allocation.mbcas.io/v9', kind: 'PodAllocation', metadata, spec }
      await refused(kube.create(podAllocations, newObject(other) as never), {
        code: 400,
        reason: 'BadRequest',
        said: 'the API version in the data (allocation.mbcas.io/v9) does not match the expected API version (allocation.mbcas.io/v1alpha1)',
      })
    },
  },
]
