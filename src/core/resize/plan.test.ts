import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import type { Millicores } from '../units.ts'
import { type ContainerCpu, planResize, type PodCpu } from './plan.ts'

const cpu = (name: string, request?: number, limit?: number): ContainerCpu => ({
  name,
  request: request as Millicores | undefined,
  limit: limit as Millicores | undefined,
})

const pod = (changes: Partial<PodCpu> = {}): PodCpu => ({
  phase: 'Running',
  qosClass: 'Burstable',
  spec: [cpu('app', 100, 200)],
  actuated: [cpu('app', 100, 200)],
  restarting: [],
  pending: undefined,
  ...changes,
})

void describe('core/resize: what to do about a pod', () => {
  const grown = [cpu('app', 200, 400)]
  each(
    [
      {
        name: 'what it has is what it should',
        on: pod(),
        wants: [cpu('app', 100, 200)],
        gives: ['done', 'Applied'],
      },
      {
        name: 'only the limit is asked for',
        on: pod(),
        wants: [cpu('app', undefined, 200)],
        gives: ['done', 'Applied'],
      },
      { name: 'another value', on: pod(), wants: grown, gives: ['resize', 'Resizing'] },
      {
        name: 'the spec has it, the kubelet not yet',
        on: pod({ spec: grown }),
        wants: grown,
        gives: ['wait', 'InProgress'],
      },
      {
        name: 'the node has no room yet',
        on: pod({ spec: grown, pending: { reason: 'Deferred', message: 'no room' } }),
        wants: grown,
        gives: ['wait', 'Deferred'],
      },
      {
        name: 'the node can never give it',
        on: pod({ spec: grown, pending: { reason: 'Infeasible', message: 'too much' } }),
        wants: grown,
        gives: ['wait', 'Infeasible'],
      },
      {
        name: 'a deferred resize is replaced by a new wish',
        on: pod({ spec: grown, pending: { reason: 'Deferred', message: 'no room' } }),
        wants: [cpu('app', 150, 300)],
        gives: ['resize', 'Resizing'],
      },
      {
        name: 'below what the kernel can tell apart',
        on: pod({ actuated: [cpu('app', 2, 10)] }),
        wants: [cpu('app', 1, 5)],
        gives: ['done', 'Applied'],
      },
      {
        name: 'a pod that does not run',
        on: pod({ phase: 'Pending' }),
        wants: grown,
        gives: ['refuse', 'PodNotRunning'],
      },
      {
        name: 'a Guaranteed pod',
        on: pod({ qosClass: 'Guaranteed' }),
        wants: grown,
        gives: ['refuse', 'GuaranteedQoS'],
      },
      {
        name: 'a container that is not there',
        on: pod(),
        wants: [cpu('other', 1, 2)],
        gives: ['refuse', 'UnknownContainer'],
      },
      {
        name: 'a container that would restart',
        on: pod({ restarting: ['app'] }),
        wants: grown,
        gives: ['refuse', 'RestartRequired'],
      },
    ],
    ({ on, wants, gives }) => {
      const { action, reason } = planResize(on, wants)
      assert.deepEqual([action, reason], gives)
    },
  )
})
