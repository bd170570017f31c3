import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import type { PodAllocation, PodAllocationSpec } from '../../apis/pod-allocation.ts'
import type { Pod } from '../../apis/pod.ts'
import { desiredCpu, podCpu } from './pod-view.ts'

const cpu = (requests?: string, limits?: string) => ({
  ...(requests !== undefined && { requests: { cpu: requests } }),
  ...(limits !== undefined && { limits: { cpu: limits } }),
})

const pod: Pod = {
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    containers: [
      { name: 'app', resources: cpu('300m', '600m') },
      {
        name: 'log',
        resources: cpu('100m'),
        resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
      },
    ],
    initContainers: [
      { name: 'once', resources: cpu('1', '1') },
      { name: 'proxy', restartPolicy: 'Always', resources: cpu('100m', '200m') },
    ],
  },
  status: {
    phase: 'Running',
    qosClass: 'Burstable',
    conditions: [
      { type: 'PodResizeInProgress', status: 'True' },
      { type: 'PodResizePending', status: 'True', reason: 'Deferred', message: 'no room' },
    ],
    containerStatuses: [
      { name: 'app', restartCount: 0, resources: cpu('250m', '0.5') },
      { name: 'log', restartCount: 0 },
    ],
    initContainerStatuses: [
      { name: 'once', restartCount: 0, resources: cpu('1', '1') },
      { name: 'proxy', restartCount: 0, resources: cpu('100m', '200m') },
    ],
  },
}

const allocation = (spec: Partial<PodAllocationSpec>): PodAllocation => ({
  metadata: { name: 'web' },
  spec: { podName: 'web', urgency: 'normal', ...spec },
})

void describe('apps/controller: what a pod has and should have', () => {
  void test('containers and sidecars count, in the spec and as actuated', () => {
    const view = podCpu(pod)
    assert.deepEqual(
      view.spec.map(({ name }) => name),
      ['app', 'log', 'proxy'],
    )
    assert.deepEqual(view.actuated, [
      { name: 'app', request: 250, limit: 500 },
      { name: 'proxy', request: 100, limit: 200 },
    ])
    assert.deepEqual(view.restarting, ['log'])
    assert.deepEqual(view.pending, { reason: 'Deferred', message: 'no room' })
  })

  each(
    [
      {
        name: 'containers are taken as they are',
        spec: { containers: [{ name: 'app', desiredCPULimit: '1' }] },
        gives: [{ name: 'app', request: undefined, limit: 1000 }],
      },
      {
        name: 'sums are split as the containers share them now, and nothing gets a limit that has none',
        spec: { desiredCPURequest: '1', desiredCPULimit: 2 },
        gives: [
          { name: 'app', request: 600, limit: 1500 },
          { name: 'log', request: 200, limit: undefined },
          { name: 'proxy', request: 200, limit: 500 },
        ],
      },
      {
        name: 'a sum that is not asked for changes nothing',
        spec: { desiredCPULimit: '800m' },
        gives: [
          { name: 'app', request: undefined, limit: 600 },
          { name: 'log', request: undefined, limit: undefined },
          { name: 'proxy', request: undefined, limit: 200 },
        ],
      },
    ],
    ({ spec, gives }) => assert.deepEqual(desiredCpu(allocation(spec), podCpu(pod)), gives),
  )
})
