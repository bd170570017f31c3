import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { cpu, podObject, type PodParts } from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import { claimOf } from './claims.ts'

const containers = (...requests: readonly string[]) =>
  requests.map((request, i) => ({ name: i === 0 ? 'app' : `c${i}`, resources: cpu(request) }))
const kernel = (request: string) => ({
  containerStatuses: [{ name: 'app', restartCount: 0, resources: cpu(request) }],
})
const infeasible = {
  conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }],
} as const

void describe('apps/controller: what a pod keeps from the others of its node', () => {
  const rows: readonly (PodParts & { readonly name: string; readonly keeps: number })[] = [
    {
      name: 'a raise that the kubelet has yet to make',
      spec: { containers: containers('500m') },
      status: kernel('200m'),
      keeps: 500,
    },
    {
      name: 'a cut that the kubelet has yet to make',
      spec: { containers: containers('200m') },
      status: kernel('500m'),
      keeps: 500,
    },
    {
      name: 'what was set aside',
      status: {
        containerStatuses: [{ name: 'app', restartCount: 0, allocatedResources: { cpu: '700m' } }],
      },
      keeps: 700,
    },
    {
      name: 'not what can never be',
      spec: { containers: containers('64') },
      status: { ...kernel('500m'), ...infeasible },
      keeps: 500,
    },
    {
      name: 'nor what has to wait for room that others have',
      spec: { containers: containers('3') },
      status: {
        ...kernel('500m'),
        conditions: [{ ...infeasible.conditions[0], reason: 'Deferred' }],
      },
      keeps: 500,
    },
    { name: 'all containers together', spec: { containers: containers('1', '500m') }, keeps: 1500 },
    {
      name: 'the largest init container, beside the sidecars before it',
      spec: {
        initContainers: [
          { name: 'proxy', restartPolicy: 'Always', resources: cpu('100m') },
          { name: 'once', resources: cpu('2') },
        ],
      },
      keeps: 2100,
    },
    {
      name: 'sidecars with the containers, where they are more',
      spec: {
        initContainers: [
          { name: 'once', resources: cpu('150m') },
          { name: 'proxy', restartPolicy: 'Always', resources: cpu('100m') },
        ],
      },
      keeps: 200,
    },
    {
      name: 'what the pod as a whole asks for',
      spec: { resources: cpu('3') },
      keeps: 3000,
    },
    { name: 'the overhead of its runtime', spec: { overhead: { cpu: '250m' } }, keeps: 350 },
    { name: 'nothing, once it has finished', status: { phase: 'Succeeded' }, keeps: 0 },
  ]
  each(rows, ({ keeps, ...parts }) => assert.equal(claimOf(podObject(parts)), keeps))

  each([{ name: 'nothing, before it has a node' }], () => {
    const { nodeName: _, ...spec } = podObject().spec
    assert.equal(claimOf({ ...podObject(), spec }), 0)
  })
})
