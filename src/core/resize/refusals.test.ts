import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { cpu, decideEach, podWith, questionOf, roomOf } from '../../../test/resizes.ts'
import type { Millicores, Millis } from '../units.ts'
import { decideResize } from './decide.ts'
import type { PodCpu, ResizeQuestion } from './types.ts'

const has = [cpu('app', 100, 200)]
const more = [cpu('app', 150, 300)]
const none = 0 as Millicores

const unbounded = {
  limitRange: 'cpu',
  of: 'Container',
  min: undefined,
  max: undefined,
  maxRatio: undefined,
} as const

void describe('core/resize/refusals', () => {
  const guaranteed = podWith([cpu('app', 100, 100)], { qosClass: 'Guaranteed' })
  decideEach([
    { name: 'another UID', on: { isOtherPod: true }, gives: 'refuse OtherPod' },
    {
      name: 'not started',
      pod: podWith(has, { phase: 'Pending' }),
      gives: 'refuse PodNotRunning',
      says: 'expected a pod in phase Running, got Pending',
    },
    {
      name: 'being deleted',
      pod: podWith(has, { isTerminating: true }),
      gives: 'refuse PodNotRunning',
    },
    {
      name: 'left alone',
      on: { excluded: 'opted out' },
      gives: 'refuse Excluded',
      says: 'opted out',
    },
    {
      name: 'a VerticalPodAutoscaler',
      on: { verticalAutoscaler: 'vpa' },
      gives: 'refuse VerticalPodAutoscaler',
      says: /"vpa" sets the CPU/,
    },
    { name: 'Guaranteed', pod: guaranteed, gives: 'refuse GuaranteedQoS' },
    {
      name: 'Guaranteed that opted in moves as one',
      pod: guaranteed,
      on: { managesGuaranteed: true, desired: [cpu('app', 120, 145)] },
      gives: 'resize Resizing',
      to: [cpu('app', 150, 150)],
    },
    {
      name: 'Guaranteed that opted in, and a HorizontalPodAutoscaler',
      pod: guaranteed,
      on: { managesGuaranteed: true, horizontalAutoscaler: 'hpa' },
      gives: 'refuse GuaranteedQoS',
      says: /HorizontalPodAutoscaler "hpa"/,
    },
    {
      name: 'CPUs of its own',
      pod: podWith(has, { hasExclusiveCpus: true }),
      gives: 'refuse ExclusiveCPUs',
    },
    {
      name: 'a restart',
      pod: podWith(has, { restarting: ['app'] }),
      gives: 'refuse RestartRequired',
      says: /container app would be restarted/,
    },
    {
      name: 'a restart of one that does not change',
      pod: podWith([...has, cpu('log', 10, 20)], { restarting: ['log'] }),
      on: { desired: [...more, cpu('log', 10, 20)] },
      gives: 'resize Resizing',
      to: more,
    },
    {
      name: 'resources of the pod',
      pod: podWith(has, { hasPodResources: true }),
      gives: 'refuse PodLevelResources',
    },
    {
      name: 'a container that it has not',
      on: { desired: [cpu('db', 1)] },
      gives: 'refuse UnknownContainer',
      says: 'expected one of the containers app, got db',
    },
    {
      name: 'BestEffort',
      pod: podWith([cpu('app')], { qosClass: 'BestEffort' }),
      gives: 'refuse QoSClassChange',
    },
    {
      name: 'it would become Guaranteed',
      pod: podWith(has, { memoryIsGuaranteed: true }),
      on: { desired: [cpu('app', 200, 200)] },
      gives: 'refuse QoSClassChange',
      says: 'the QoS class would change from Burstable to Guaranteed: a resize may not',
    },
    {
      name: 'a HorizontalPodAutoscaler: only the limit moves',
      on: { horizontalAutoscaler: 'hpa' },
      gives: 'resize Resizing',
      to: [cpu('app', undefined, 300)],
      says: /the request of app stays: HorizontalPodAutoscaler "hpa" measures CPU by it/,
    },
    {
      name: 'and not below the request',
      on: { horizontalAutoscaler: 'hpa', desired: [cpu('app', 10, 20)] },
      gives: 'resize Resizing',
      to: [cpu('app', undefined, 100)],
    },
  ])

  /** In order. Each stands beside all that follow it; where they cannot, it takes their place. */
  const obstacles: readonly Obstacle[] = [
    { gives: 'refuse OtherPod', on: { isOtherPod: true } },
    { gives: 'refuse PodNotRunning', of: { isTerminating: true } },
    { gives: 'refuse Excluded', on: { excluded: 'opted out' } },
    { gives: 'refuse VerticalPodAutoscaler', on: { verticalAutoscaler: 'vpa' } },
    { gives: 'refuse GuaranteedQoS', of: { qosClass: 'Guaranteed' } },
    { gives: 'refuse ExclusiveCPUs', of: { hasExclusiveCpus: true } },
    {
      gives: 'refuse RestartRequired',
      on: { desired: [cpu('app', 150), cpu('db', 1)] },
      of: { restarting: ['app'] },
    },
    { gives: 'refuse PodLevelResources', of: { hasPodResources: true } },
    { gives: 'refuse UnknownContainer', on: { desired: [cpu('db', 1)] } },
    {
      gives: 'refuse QoSClassChange',
      on: { desired: [cpu('app', 200)] },
      of: { memoryIsGuaranteed: true },
    },
    { gives: 'refuse LimitRange', on: { bounds: [{ ...unbounded, max: 100 as Millicores }] } },
    { gives: 'refuse NodeCapacity', on: { node: roomOf(120, 0) } },
    {
      gives: 'refuse ResourceQuota',
      on: { quotas: [{ quota: 'team', of: 'request', hard: none, used: none }] },
    },
    { gives: 'wait NodeHeadroom', on: { desired: [cpu('app', 150)], node: roomOf(1000, 900) } },
    { gives: 'wait Cooldown', on: { sinceResizeMillis: 0 as Millis } },
    { gives: 'resize StepClamped', on: { desired: [cpu('app', 100, 900)] } },
  ]
  for (const [i, { gives }] of obstacles.entries()) {
    void test(`of all that stands against it from there on, the first is told: ${gives}`, () => {
      const [pod, on] = [podWith(has), {}]
      for (const obstacle of obstacles.slice(i).toReversed()) {
        Object.assign(pod, obstacle.of)
        Object.assign(on, obstacle.on)
      }
      const { action, reason } = decideResize(questionOf(pod, on))
      assert.equal(`${action} ${reason}`, gives)
    })
  }

  void test('a pod that is gone cannot be another', () => {
    assert.equal(decideResize(questionOf(undefined, { isOtherPod: true })).reason, 'PodNotFound')
  })
})

type Obstacle = {
  readonly gives: string
  readonly on?: Partial<Omit<ResizeQuestion, 'pod'>>
  readonly of?: Partial<PodCpu>
}
