import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { cpu, podObject } from '../../../test/controller-pods.ts'
import { each } from '../../../test/each.ts'
import type { Container, PodCondition } from '../../apis/pod.ts'
import { podCpuOf } from './pod-cpu.ts'

const pending = (reason: string, more: Partial<PodCondition> = {}): PodCondition => ({
  type: 'PodResizePending',
  status: 'True',
  reason,
  message: 'no room',
  ...more,
})
const inProgress = (reason?: string): PodCondition => ({
  type: 'PodResizeInProgress',
  status: 'True',
  ...(reason !== undefined && { reason }),
})

void describe('apps/controller: the CPU of a pod', () => {
  void test('containers and sidecars count, as asked for, set aside and actuated', () => {
    const view = podCpuOf(
      podObject({
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
          containerStatuses: [
            {
              name: 'app',
              restartCount: 0,
              resources: cpu('250m', '0.5'),
              allocatedResources: { cpu: '300m' },
            },
            { name: 'log', restartCount: 0 },
          ],
          initContainerStatuses: [
            { name: 'once', restartCount: 0, resources: cpu('1', '1') },
            { name: 'proxy', restartCount: 0, resources: cpu('100m', '200m') },
          ],
        },
      }),
    )
    assert.deepEqual(
      view.spec.map(({ name }) => name),
      ['app', 'log', 'proxy'],
    )
    assert.deepEqual(view.actuated, [
      { name: 'app', request: 250, limit: 500 },
      { name: 'proxy', request: 100, limit: 200 },
    ])
    assert.deepEqual(view.allocated, [{ name: 'app', request: 300, limit: undefined }])
    assert.deepEqual(view.restarting, ['log'])
  })

  each(
    [
      { name: 'nothing', conditions: [], says: undefined },
      { name: 'that it waits', conditions: [pending('Deferred')], says: 'Deferred' },
      { name: 'that it can never be', conditions: [pending('Infeasible')], says: 'Infeasible' },
      { name: 'that it is at work', conditions: [inProgress()], says: 'InProgress' },
      { name: 'that it failed', conditions: [inProgress('Error')], says: 'Error' },
      {
        name: 'that it waits, while an older resize is under way',
        conditions: [inProgress(), pending('Deferred')],
        says: 'Deferred',
      },
      {
        name: 'something about an earlier wish, which is no answer to this one',
        conditions: [pending('Infeasible', { observedGeneration: 3 })],
        says: undefined,
      },
      {
        name: 'something about this wish',
        conditions: [pending('Infeasible', { observedGeneration: 4 })],
        says: 'Infeasible',
      },
    ],
    ({ conditions, says }) => {
      const view = podCpuOf(podObject({ metadata: { generation: 4 }, status: { conditions } }))
      assert.equal(view.pending?.state, says)
    },
  )

  const memory = (request: string, limit: string) => ({
    requests: { cpu: '100m', memory: request },
    limits: { cpu: '200m', memory: limit },
  })
  const rows: readonly { name: string; containers: Container[]; init?: Container; is: boolean }[] =
    [
      {
        name: 'memory in equal parts is as a Guaranteed pod has it, however it is written',
        containers: [{ name: 'app', resources: memory('1Gi', '1073741824') }],
        is: true,
      },
      {
        name: 'less memory asked for than allowed is not',
        containers: [{ name: 'app', resources: memory('1Gi', '2Gi') }],
        is: false,
      },
      {
        name: 'nor is a container without memory',
        containers: [{ name: 'app', resources: cpu('100m', '200m') }],
        is: false,
      },
      {
        name: 'nor an init container whose CPU is not in equal parts',
        containers: [{ name: 'app', resources: memory('1Gi', '1Gi') }],
        init: { name: 'once', resources: memory('1Gi', '1Gi') },
        is: false,
      },
    ]
  each(rows, ({ containers, init, is }) => {
    const spec = { containers, ...(init && { initContainers: [init] }) }
    assert.equal(podCpuOf(podObject({ spec })).memoryIsGuaranteed, is)
  })
})
