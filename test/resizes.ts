/** Pods and questions for `core/resize`, of which a test states only what differs. */
import assert from 'node:assert/strict'

import { unknownPod } from '../src/apps/controller/gather.ts'
import { decideResize } from '../src/core/resize/decide.ts'
import type { ContainerCpu, PodCpu, ResizeQuestion } from '../src/core/resize/types.ts'
import type { Millicores, Millis } from '../src/core/units.ts'
import { each } from './each.ts'

export const cpu = (name: string, request?: number, limit?: number): ContainerCpu => ({
  name,
  request: request as Millicores | undefined,
  limit: limit as Millicores | undefined,
})

/** It runs, and the kubelet has done all that it was asked. */
export function podWith(spec: readonly ContainerCpu[], changes: Partial<PodCpu> = {}): PodCpu {
  return {
    phase: 'Running',
    qosClass: 'Burstable',
    isTerminating: false,
    spec,
    actuated: spec,
    allocated: setAside(spec),
    restarting: [],
    hasPodResources: false,
    hasExclusiveCpus: false,
    pending: undefined,
    memoryIsGuaranteed: false,
    ...changes,
  }
}

/** A node with room for all, rules by default, and no resize before. */
export const questionOf = <P extends PodCpu | undefined>(
  pod: P,
  changes: Partial<Omit<ResizeQuestion, 'pod'>> = {},
): ResizeQuestion & { readonly pod: P } => ({
  ...unknownPod,
  pod,
  node: roomOf(100_000, 0),
  rules: { cooldownMillis: 5000 as Millis, stepFactor: 2 },
  ...changes,
})

export const roomOf = (allocatable: number, others: number, limitStep = 10) => ({
  name: 'node-1',
  allocatable: allocatable as Millicores,
  others: others as Millicores,
  limitStep: limitStep as Millicores,
})

/** The pod after an API server that accepts; the kubelet has not looked yet. */
export const askedOf = (pod: PodCpu, to: readonly ContainerCpu[]): PodCpu => ({
  ...pod,
  spec: pod.spec.map((has) => {
    const wanted = to.find(({ name }) => name === has.name)
    return cpu(has.name, wanted?.request ?? has.request, wanted?.limit ?? has.limit)
  }),
})

/** And after a kubelet that obeys. */
export const obeyedBy = (pod: PodCpu): PodCpu => ({
  ...pod,
  actuated: pod.spec,
  allocated: setAside(pod.spec),
})

const setAside = (spec: readonly ContainerCpu[]): readonly ContainerCpu[] =>
  spec.map(({ name, request }) => cpu(name, request))

export type DecisionRow = {
  readonly name: string
  readonly pod?: PodCpu
  readonly on?: Partial<Omit<ResizeQuestion, 'pod'>>
  /** Action and reason. */
  readonly gives: string
  readonly to?: readonly ContainerCpu[]
  readonly says?: string | RegExp
  readonly again?: number
}

/** Unless a row says otherwise, 150/300m are asked of a pod that has 100/200m. */
export const decideEach = (rows: readonly DecisionRow[]): void =>
  each(rows, ({ pod = podWith([cpu('app', 100, 200)]), on, gives, to, says, again }) => {
    const desired = [cpu('app', 150, 300)]
    const decision = decideResize(questionOf(pod, { desired, ...on }))
    assert.equal(`${decision.action} ${decision.reason}`, gives)
    if (to !== undefined) assert.deepEqual(decision.to, to)
    if (typeof says === 'string') assert.equal(decision.message, says)
    if (says instanceof RegExp) assert.match(decision.message, says)
    if (again !== undefined) assert.equal(decision.again, again)
  })
