import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import type { Container, Pod } from '../../apis/pod.ts'
import { cpuOfPodGroup } from './pod-group.ts'

const one = (name: string, request: string, limit?: string): Container => ({
  name,
  resources: { requests: { cpu: request }, ...(limit !== undefined && { limits: { cpu: limit } }) },
})
const sidecar = (name: string, request: string, limit?: string): Container => ({
  ...one(name, request, limit),
  restartPolicy: 'Always',
})

void describe('what a kubelet sets for the group of a pod', () => {
  each<{ name: string; spec: Pod['spec']; request: number; limit: number | undefined }>(
    [
      {
        name: 'is what its containers have together',
        spec: { containers: [one('a', '500m', '1'), one('b', '200m', '300m')] },
        request: 700,
        limit: 1300,
      },
      {
        name: 'no limit where one has none',
        spec: { containers: [one('a', '500m', '1'), one('b', '200m')] },
        request: 700,
        limit: undefined,
      },
      {
        name: 'nor where an init container has none, though it has ended',
        spec: { containers: [one('a', '500m', '1')], initContainers: [one('i', '100m')] },
        request: 500,
        limit: undefined,
      },
      {
        name: 'at least what the largest init container has',
        spec: {
          containers: [one('a', '500m', '1')],
          initContainers: [one('i', '2', '3'), one('j', '1', '1')],
        },
        request: 2000,
        limit: 3000,
      },
      {
        name: 'beside the sidecars that began before it',
        spec: {
          containers: [one('a', '100m')],
          initContainers: [sidecar('s', '300m'), one('i', '1'), sidecar('t', '50m')],
        },
        request: 1300,
        limit: undefined,
      },
      {
        name: 'and what its runtime class takes',
        spec: { containers: [one('a', '500m', '1')], overhead: { cpu: '250m' } },
        request: 750,
        limit: 1250,
      },
      {
        name: 'what is set for the pod as a whole, where it is',
        spec: { containers: [one('a', '500m')], resources: { requests: { cpu: '2' } } },
        request: 2000,
        limit: undefined,
      },
    ],
    ({ spec, request, limit }) => assert.deepEqual(cpuOfPodGroup(spec), { request, limit }),
  )
})
