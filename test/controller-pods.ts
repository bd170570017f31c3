/** For tests of the controller: pods and allocations, of which a test states only what matters to it. */
import { fieldManagers, originalAnnotation } from '../src/apis/names.ts'
import type { ObjectMeta } from '../src/apis/object.ts'
import type { PodAllocation, PodAllocationSpec } from '../src/apis/pod-allocation.ts'
import type { Pod, PodSpec, PodStatus, ResourceRequirements } from '../src/apis/pod.ts'

export const cpu = (request?: string, limit?: string): ResourceRequirements => ({
  ...(request !== undefined && { requests: { cpu: request } }),
  ...(limit !== undefined && { limits: { cpu: limit } }),
})

/** On it stands what it had first, by our controller. */
export const notedWith = (text: string): ObjectMeta => ({
  annotations: { [originalAnnotation]: text },
  managedFields: [
    {
      manager: fieldManagers.controller,
      fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${originalAnnotation}`]: {} } } },
    },
  ],
})

export type PodParts = {
  readonly metadata?: ObjectMeta
  readonly spec?: Partial<PodSpec>
  readonly status?: PodStatus
}

/** Runs on node-0 with one container of 100m to 200m, which the kubelet has set. */
export const podObject = ({ metadata, spec, status }: PodParts = {}): Pod => ({
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'uid-web',
    resourceVersion: '7',
    generation: 1,
    ...metadata,
  },
  spec: {
    nodeName: 'node-0',
    containers: [{ name: 'app', resources: cpu('100m', '200m') }],
    ...spec,
  },
  status: {
    phase: 'Running',
    qosClass: 'Burstable',
    containerStatuses: [
      {
        name: 'app',
        restartCount: 0,
        resources: cpu('100m', '200m'),
        allocatedResources: { cpu: '100m' },
      },
    ],
    ...status,
  },
})

export const allocationObject = (
  spec: Partial<PodAllocationSpec> = {},
  metadata: ObjectMeta = {},
): PodAllocation => ({
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'uid-allocation',
    resourceVersion: '8',
    generation: 1,
    ...metadata,
  },
  spec: {
    podName: 'web',
    urgency: 'normal',
    ...spec,
  },
})
