import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../../test/each.ts'
import { podColumns } from './columns.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const container = (name: string, state: object, more: object = {}) => ({
  name,
  restartCount: 0,
  state,
  ...more,
})
const running = { running: {} }
const ended = (exitCode: number, reason = '') => ({ terminated: { exitCode, reason } })
const initialized = { type: 'Initialized', status: 'True' }

type Given = { status?: object; spec?: object; metadata?: object }
const shown = ({ status = {}, spec = {}, metadata = {} }: Given) =>
  podColumns.map(({ cell }) =>
    cell(
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
        spec: { containers: [{ name: 'a' }], ...spec },
        status: { phase: 'Running', ...status },
      },
      { now: start + 300_000 },
    ),
  )

const oneInit = { initContainers: [{ name: 'i' }] }
const oneSidecar = { initContainers: [{ name: 's', restartPolicy: 'Always' }] }

void describe('sim/apiserver/kinds/pod/columns', () => {
  each<{ name: string; given: Given; shows: readonly string[] }>(
    [
      {
        name: 'a pod that waits for a node',
        given: { status: { phase: 'Pending' } },
        shows: ['0/1', 'Pending', '0'],
      },
      {
        name: 'one that waits at a gate',
        given: {
          status: {
            phase: 'Pending',
            conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
          },
        },
        shows: ['0/1', 'SchedulingGated', '0'],
      },
      {
        name: 'one that runs and was restarted',
        given: {
          status: {
            containerStatuses: [
              container('a', running, {
                ready: true,
                restartCount: 2,
                lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:04:00Z' } },
              }),
            ],
          },
        },
        shows: ['1/1', 'Running', '2 (60s ago)'],
      },
      {
        name: 'one that keeps failing',
        given: {
          status: {
            containerStatuses: [container('a', { waiting: { reason: 'CrashLoopBackOff' } })],
          },
        },
        shows: ['0/1', 'CrashLoopBackOff', '0'],
      },
      {
        name: 'one that is starting up',
        given: {
          spec: oneInit,
          status: { phase: 'Pending', initContainerStatuses: [container('i', running)] },
        },
        shows: ['0/1', 'Init:0/1', '0'],
      },
      {
        name: 'one that failed to start up',
        given: {
          spec: oneInit,
          status: {
            phase: 'Pending',
            initContainerStatuses: [container('i', ended(3), { restartCount: 4 })],
          },
        },
        shows: ['0/1', 'Init:ExitCode:3', '4'],
      },
      {
        name: 'one with a sidecar: restarts before the start are forgotten',
        given: {
          spec: oneSidecar,
          status: {
            conditions: [initialized],
            initContainerStatuses: [container('s', running, { started: true, ready: true })],
            containerStatuses: [container('a', running, { ready: true })],
          },
        },
        shows: ['2/2', 'Running', '0'],
      },
      {
        name: 'one that is done',
        given: {
          status: {
            phase: 'Succeeded',
            containerStatuses: [container('a', ended(0, 'Completed'))],
          },
        },
        shows: ['0/1', 'Completed', '0'],
      },
      {
        name: 'one that is done in part',
        given: {
          spec: { containers: [{ name: 'a' }, { name: 'b' }] },
          status: {
            conditions: [{ type: 'Ready', status: 'False' }],
            containerStatuses: [
              container('a', ended(0, 'Completed')),
              container('b', running, { ready: true }),
            ],
          },
        },
        shows: ['1/2', 'NotReady', '0'],
      },
      {
        name: 'one that is going',
        given: { metadata: { deletionTimestamp: '2026-01-01T00:05:30Z' } },
        shows: ['0/1', 'Terminating', '0'],
      },
    ],
    ({ given, shows }) => {
      assert.deepEqual(shown(given).slice(0, 4), [...shows, '5m'])
    },
  )

  void test('-o wide tells where it is and which gates are open', () => {
    const none = '<none>'
    assert.deepEqual(shown({}).slice(4), [none, none, none, none])
    assert.deepEqual(
      shown({
        spec: { nodeName: 'n', readinessGates: [{ conditionType: 'x' }, { conditionType: 'y' }] },
        status: {
          podIPs: [{ ip: '10.0.0.1' }],
          nominatedNodeName: 'm',
          conditions: [{ type: 'x', status: 'True' }],
        },
      }).slice(4),
      ['10.0.0.1', 'n', 'm', '1/2'],
    )
  })
})
