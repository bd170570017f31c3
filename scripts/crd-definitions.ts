/** Our CustomResourceDefinitions: what the schemas do not say. */
import { podAllocationRules, podAllocationSpec } from '../src/apis/pod-allocation-spec.ts'
import { podAllocationStatus } from '../src/apis/pod-allocation-status.ts'
import { podAllocations } from '../src/apis/pod-allocation.ts'
import type { Definition } from './crd.ts'

export const podAllocationDefinition: Definition = {
  resource: podAllocations,
  description: 'How much CPU a pod should have, and what became of it.',
  shortNames: ['pa'],
  spec: podAllocationSpec,
  status: podAllocationStatus,
  rules: podAllocationRules,
  columns: [
    { name: 'Pod', type: 'string', jsonPath: '.spec.podName' },
    { name: 'Request', type: 'string', jsonPath: '.spec.desiredCPURequest' },
    { name: 'Limit', type: 'string', jsonPath: '.spec.desiredCPULimit' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Price', type: 'number', jsonPath: '.status.shadowPriceCPU' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Node', type: 'string', jsonPath: '.spec.nodeName', priority: 1 },
    { name: 'Urgency', type: 'string', jsonPath: '.spec.urgency', priority: 1 },
    { name: 'Reason', type: 'string', jsonPath: '.status.reason', priority: 1 },
  ],
}
