import * as v from 'valibot'

import {
  atMost,
  cpu,
  listBy,
  price,
  type Rule,
  rules,
  setOnce,
  someCpu,
  text,
} from './pod-allocation-fields.ts'

/**
 * Kubernetes refuses a rule that could cost too much, and up to 1.33 it takes every quantity to be as
 * long as a request (3 MB), whatever `maxLength` says: 15 containers are the most that pass. For
 * the same reason no rule asks isQuantity first.
 */
const mostContainers = 15

/** Of what an owner wrote that does not count; who writes more sees the rest once these are mended. */
export const noteBounds = { most: 16, maxLength: 256 }

const requestWithinLimit = atMost(
  'desiredCPURequest',
  'desiredCPULimit',
  'desiredCPURequest must be at most desiredCPULimit: Kubernetes refuses a request above the limit',
)

const container = v.pipe(
  v.object({
    name: text('Name of the container, or of the sidecar', { minLength: 1, maxLength: 63 }),
    desiredCPURequest: v.optional(someCpu('CPU that it should be promised')),
    desiredCPULimit: v.optional(someCpu('CPU that it should be allowed')),
  }),
  v.description('One container'),
  v.metadata(
    rules(
      {
        rule: 'has(self.desiredCPURequest) || has(self.desiredCPULimit)',
        message: 'needs desiredCPURequest or desiredCPULimit; leave the container out to keep it',
      },
      requestWithinLimit,
    ),
  ),
)

const decision = v.pipe(
  v.object({
    mode: v.optional(
      v.pipe(
        v.picklist(['uncongested', 'congested', 'overloaded']),
        v.description(
          'Whether the node had enough for all needs; `overloaded`: the floors that owners set (`min-cpu`) do not fit',
        ),
      ),
    ),
    need: v.optional(cpu('CPU that the pod could use')),
    entitled: v.optional(
      cpu('CPU that is its own, whatever other namespaces want: min-cpu or its original request'),
    ),
    gets: v.optional(cpu('CPU that the market gave it, which decides its weight in the kernel')),
    price: v.optional(
      price('Of one millicore on the node; absent where it is infinite or has no meaning'),
    ),
    reason: v.optional(text('Why it gets this much, in words')),
    notes: v.optional(
      v.pipe(
        v.array(text('One of them', { maxLength: noteBounds.maxLength })),
        v.description(
          'Which annotations of the pod or its namespace do not count as written, and why; absent where all do',
        ),
        v.metadata({ maxItems: noteBounds.most, 'x-kubernetes-list-type': 'set' }),
      ),
    ),
  }),
  v.description('How the market came to the desired values; tells, and changes nothing'),
)

const podName = v.pipe(
  text('Name of the pod, in the same namespace', { minLength: 1, maxLength: 253 }),
  v.metadata(
    rules({
      rule: 'self == oldSelf',
      message: 'podName cannot change; create a PodAllocation for the other pod',
    }),
  ),
)

export const podAllocationSpec = v.pipe(
  v.object({
    podName,
    podUID: v.optional(
      text('UID of the pod, so that its successor of the same name is left alone', {
        minLength: 1,
        maxLength: 128,
      }),
    ),
    nodeName: v.optional(
      text('Node of the pod; an agent may write only what names its own node', {
        minLength: 1,
        maxLength: 253,
      }),
    ),
    containers: v.optional(
      v.pipe(
        v.array(container),
        v.description(
          `What each container should have, up to ${mostContainers}; without it the sums are split as the containers share them now`,
        ),
        v.metadata(listBy('name', mostContainers)),
      ),
    ),
    desiredCPURequest: v.optional(someCpu('CPU that the pod should be promised, all containers')),
    desiredCPULimit: v.optional(someCpu('CPU that the pod should be allowed, all containers')),
    urgency: v.optional(
      v.pipe(
        v.picklist(['normal', 'guardrail']),
        v.description('`guardrail` passes the cooldown and the step size, for what suffers now'),
      ),
      'normal',
    ),
    decision: v.optional(decision),
  }),
  v.description('What the pod should have'),
  v.metadata(
    rules(
      {
        rule: 'has(self.desiredCPURequest) || has(self.desiredCPULimit) || (has(self.containers) && size(self.containers) > 0)',
        message: 'needs desiredCPURequest, desiredCPULimit or containers: nothing is desired',
      },
      requestWithinLimit,
      setOnce('podUID', 'podUID cannot change; delete the PodAllocation of the pod that is gone'),
      setOnce('nodeName', 'nodeName cannot change: a pod never moves to another node'),
    ),
  ),
)

/** Of the whole object: two for one pod would fight over it. */
export const podAllocationRules: readonly Rule[] = [
  {
    rule: 'self.metadata.name == self.spec.podName',
    message: 'metadata.name must be spec.podName: a pod has one PodAllocation, named as the pod',
  },
]
