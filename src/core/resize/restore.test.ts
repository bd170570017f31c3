import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { cpu, podWith, questionOf, roomOf } from '../../../test/resizes.ts'
import type { Millis } from '../units.ts'
import { decideRestore } from './restore.ts'
import type { ContainerCpu, PodCpu, ResizeQuestion } from './types.ts'

type Row = {
  readonly name: string
  readonly pod: PodCpu
  readonly on?: Partial<ResizeQuestion>
  readonly gives: string
  readonly to?: readonly ContainerCpu[]
}

const original = [cpu('app', 100, 200)]
const others = {
  excluded: 'opted out',
  mode: 'recommend',
  urgency: 'guardrail',
  horizontalAutoscaler: 'hpa',
  sinceResizeMillis: 0 as Millis,
} as const

void describe('core/resize/restore', () => {
  each<Row>(
    [
      { name: 'it has them', pod: podWith(original), gives: 'done Restored' },
      {
        name: 'it opted out, just after a resize',
        pod: podWith([cpu('app', 150, 300)]),
        on: others,
        gives: 'resize Restoring',
        to: original,
      },
      {
        name: 'step by step',
        pod: podWith([cpu('app', 500, 900)]),
        gives: 'resize Restoring',
        to: [cpu('app', 250, 450)],
      },
      {
        name: 'the kubelet is at it',
        pod: podWith(original, { actuated: [cpu('app', 150, 300)] }),
        gives: 'wait InProgress',
      },
      {
        name: 'the node has no room for it',
        pod: podWith([cpu('app', 50, 200)]),
        on: { node: roomOf(1000, 950) },
        gives: 'wait NodeHeadroom',
      },
      {
        name: 'a Guaranteed pod that opted in and out again',
        pod: podWith([cpu('app', 150, 150)], { qosClass: 'Guaranteed' }),
        gives: 'resize Restoring',
        to: [cpu('app', 200, 200)],
      },
      {
        name: 'to the last millicore',
        pod: podWith([cpu('app', 100, 195)]),
        gives: 'resize Restoring',
        to: original,
      },
      {
        name: 'unless that was refused',
        pod: podWith([cpu('app', 100, 195)]),
        on: { infeasible: original },
        gives: 'done Restored',
      },
      {
        name: 'a VerticalPodAutoscaler has taken over',
        pod: podWith([cpu('app', 150, 300)]),
        on: { verticalAutoscaler: 'vpa' },
        gives: 'refuse VerticalPodAutoscaler',
      },
    ],
    ({ pod, on, gives, to = [] }) => {
      const decision = decideRestore(questionOf(pod, on), original)
      assert.equal(`${decision.action} ${decision.reason}`, gives)
      assert.deepEqual(decision.to, to)
    },
  )
})
