import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../../../test/each.ts'
import { type AskingPod, countOf, cpuOf, podLimits, podRequests } from './resources.ts'

const asks = (name: string, cpu: string, more: object = {}) => ({
  name,
  resources: { requests: { cpu }, limits: { cpu } },
  ...more,
})
const sidecar = { restartPolicy: 'Always' }
const two = [asks('a', '1'), asks('b', '2')]
const resized = (reason: string): AskingPod => ({
  spec: { containers: [asks('a', '2')] },
  status: {
    conditions: [{ type: 'PodResizePending', status: 'True', reason }],
    containerStatuses: [
      {
        name: 'a',
        restartCount: 0,
        resources: { requests: { cpu: '1' }, limits: { cpu: '1' } },
        allocatedResources: { cpu: '1' },
      },
    ],
  },
})

void describe('sim/apiserver/kinds/pod/resources', () => {
  each<{ name: string; pod: AskingPod; cpu: number; limit?: number }>(
    [
      { name: 'containers are summed up', pod: { spec: { containers: two } }, cpu: 3000 },
      {
        name: 'an init container runs alone',
        pod: { spec: { containers: two, initContainers: [asks('i', '5')] } },
        cpu: 5000,
      },
      {
        name: 'a sidecar runs beside the containers',
        pod: { spec: { containers: two, initContainers: [asks('s', '3', sidecar)] } },
        cpu: 6000,
      },
      {
        name: 'and beside the init containers after it',
        pod: {
          spec: { containers: two, initContainers: [asks('s', '3', sidecar), asks('i', '4')] },
        },
        cpu: 7000,
      },
      {
        name: 'but not beside those before it',
        pod: {
          spec: { containers: two, initContainers: [asks('i', '4'), asks('s', '3', sidecar)] },
        },
        cpu: 6000,
      },
      {
        name: 'what is set for the pod as a whole counts instead, overhead on top',
        pod: {
          spec: {
            containers: two,
            resources: { requests: { cpu: '4' } },
            overhead: { cpu: '10m' },
          },
        },
        cpu: 4010,
        limit: 3010,
      },
      { name: 'a resize that waits is charged', pod: resized('Deferred'), cpu: 2000 },
      { name: 'one that can never be is not', pod: resized('Infeasible'), cpu: 1000 },
    ],
    ({ pod, cpu, limit = cpu }) => {
      assert.equal(cpuOf(podRequests(pod)), cpu)
      assert.equal(cpuOf(podLimits(pod)), limit)
      assert.equal(countOf(podRequests(pod), 'memory'), 0)
    },
  )
})
