import * as v from 'valibot'

import { conditions, cpu, listBy, price, text, time, wholeNumber } from './pod-allocation-fields.ts'

const container = v.pipe(
  v.object({
    name: text('Name of the container', { minLength: 1, maxLength: 63 }),
    appliedCPURequest: v.optional(cpu('CPU that it is promised')),
    appliedCPULimit: v.optional(cpu('CPU that it is allowed')),
    originalCPURequest: v.optional(cpu('CPU that it was promised before the first resize')),
    originalCPULimit: v.optional(cpu('CPU that it was allowed before the first resize')),
  }),
  v.description('One container'),
)

export const podAllocationStatus = v.pipe(
  v.object({
    appliedCPURequest: v.optional(cpu('CPU that the pod is promised, as the kubelet has set it')),
    appliedCPULimit: v.optional(cpu('CPU that the pod is allowed, as the kubelet has set it')),
    originalCPURequest: v.optional(
      cpu('CPU that the pod was promised before the first resize; restored when it opts out'),
    ),
    originalCPULimit: v.optional(
      cpu('CPU that the pod was allowed before the first resize; restored when it opts out'),
    ),
    containers: v.optional(
      v.pipe(
        v.array(container),
        v.description('The same for each container'),
        v.metadata(listBy('name', 100)),
      ),
    ),
    phase: v.optional(
      v.pipe(
        v.picklist(['Pending', 'Applied', 'Failed']),
        v.description('Whether the desired values are what the pod has'),
      ),
    ),
    reason: v.optional(text('Why, in one word in CamelCase', { maxLength: 128 })),
    message: v.optional(text('Why, for people', { maxLength: 32768 })),
    lastAttemptTime: v.optional(time('When a resize was last asked for')),
    lastAppliedTime: v.optional(time('When the kubelet was last seen to have set it')),
    attempts: v.optional(wholeNumber('Resizes asked for since the spec last changed', 'int32')),
    shadowPriceCPU: v.optional(price('Of one millicore on the node, when it was decided')),
    observedGeneration: v.optional(
      wholeNumber('The generation of the spec that this status is about', 'int64'),
    ),
    conditions: v.optional(conditions),
  }),
  v.description('What became of it; the controller writes it'),
)
