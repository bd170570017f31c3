import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../../test/each.ts'
import type { ApiObject } from '../../object.ts'
import { textOf } from '../../refusal.ts'
import { podRules } from './rules.ts'

const { strategy, selectableFields } = podRules
const situation = { now: 0, find: () => undefined, all: () => [] }
const update = { ...situation, subresource: '' } as const

const podWith = (spec: object = {}, status: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'd', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'a', image: 'x:1' }], ...spec },
  status,
})
const defaulted = (pod: ApiObject): ApiObject => strategy.setDefaults?.(pod) ?? pod

void describe('sim/apiserver/kinds/pod/rules', () => {
  void test('a pod that has its defaults is left as it is', () => {
    const pod = defaulted(
      podWith({ resources: { limits: { cpu: '1000m' } }, volumes: [{ name: 'v' }] }),
    )
    assert.equal(defaulted(pod), pod)
  })

  void test('a pod at a gate says so from the start, and what its client says of its status is dropped', () => {
    const given = podWith({ schedulingGates: [{ name: 'g' }] }, { phase: 'Running' })
    assert.deepEqual(strategy.prepareCreate?.(defaulted(given), situation).status, {
      phase: 'Pending',
      qosClass: 'BestEffort',
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'SchedulingGated',
          message: 'Scheduling is blocked due to non-empty scheduling gates',
          lastProbeTime: null,
          lastTransitionTime: '1970-01-01T00:00:00Z',
        },
      ],
    })
  })

  void test('an update that changes too much is told what may change, and what did', () => {
    const old = defaulted(podWith())
    const next = defaulted(podWith({ hostname: 'h' }))
    const said = strategy.validateUpdate?.(next, old, update) ?? []
    assert.deepEqual(said.map(textOf), [
      'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n- hostname: undefined\n+ hostname: "h"',
    ])
  })

  each<{ name: string; pod: ApiObject; asked?: number; gives: number }>(
    [
      { name: 'without a node it goes at once', pod: podWith({}), asked: 9, gives: 0 },
      {
        name: 'its own time',
        pod: podWith({ nodeName: 'n', terminationGracePeriodSeconds: 7 }),
        gives: 7,
      },
      {
        name: 'what is asked for is better',
        pod: podWith({ nodeName: 'n', terminationGracePeriodSeconds: 7 }),
        asked: 2,
        gives: 2,
      },
      {
        name: 'less than nothing is a second',
        pod: podWith({ nodeName: 'n' }),
        asked: -1,
        gives: 1,
      },
      {
        name: 'what is over goes at once',
        pod: podWith({ nodeName: 'n', terminationGracePeriodSeconds: 7 }, { phase: 'Failed' }),
        gives: 0,
      },
    ],
    ({ pod, asked, gives }) => {
      assert.equal(strategy.graceSeconds?.(pod, asked), gives)
    },
  )

  void test('pods are selected by what they are and where', () => {
    const pod = podWith({ nodeName: 'n' }, { phase: 'Running', podIPs: [{ ip: '10.0.0.1' }] })
    const values = Object.entries(selectableFields).map(([field, of]) => `${field}=${of(pod)}`)
    assert.deepEqual(values, [
      'spec.nodeName=n',
      'spec.restartPolicy=',
      'spec.schedulerName=',
      'spec.serviceAccountName=',
      'spec.hostNetwork=false',
      'status.phase=Running',
      'status.podIP=10.0.0.1',
      'status.nominatedNodeName=',
    ])
  })
})
