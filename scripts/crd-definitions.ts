/** Our CustomResourceDefinitions: what the schemas do not say. */
import * as v from 'valibot'

import { marketSettingsRules, marketSettingsSpec } from '../src/apis/market-settings-spec.ts'
import { marketSettings } from '../src/apis/market-settings.ts'
import { nodeMarketStatus } from '../src/apis/node-market-status.ts'
import { nodeMarkets } from '../src/apis/node-market.ts'
import {
  attributeNames,
  nodeResourceTopologies,
  nodeResourceTopologyFields,
} from '../src/apis/node-resource-topology.ts'
import { podAllocationRules, podAllocationSpec } from '../src/apis/pod-allocation-spec.ts'
import { podAllocationStatus } from '../src/apis/pod-allocation-status.ts'
import { podAllocations } from '../src/apis/pod-allocation.ts'
import type { Definition } from './crd.ts'

export const podAllocationDefinition: Definition = {
  resource: podAllocations,
  description: 'How much CPU a pod should have, and what became of it.',
  shortNames: ['pa'],
  fields: { spec: podAllocationSpec, status: v.optional(podAllocationStatus) },
  rules: podAllocationRules,
  selectableFields: ['.spec.nodeName'],
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

export const marketSettingsDefinition: Definition = {
  resource: marketSettings,
  description: 'Modes and exclusions of the whole cluster, which agents and controller read.',
  shortNames: ['mktset'],
  fields: { spec: marketSettingsSpec },
  rules: marketSettingsRules,
  columns: [
    { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Excluded', type: 'string', jsonPath: '.spec.excludedNamespaces', priority: 1 },
  ],
}

const ofCpu = (field: string): string => `.status.resources[?(@.name=="cpu")].${field}`

export const nodeMarketDefinition: Definition = {
  resource: nodeMarkets,
  description: 'How the market of a node cleared last.',
  shortNames: ['nm'],
  fields: { status: nodeMarketStatus },
  rules: [],
  columns: [
    { name: 'Mode', type: 'string', jsonPath: ofCpu('mode') },
    { name: 'Capacity', type: 'string', jsonPath: ofCpu('capacity') },
    { name: 'Sold', type: 'string', jsonPath: ofCpu('sold') },
    { name: 'Unsold', type: 'string', jsonPath: ofCpu('unsold') },
    { name: 'Price', type: 'number', jsonPath: ofCpu('price') },
    { name: 'Pods', type: 'integer', jsonPath: ofCpu('pods') },
    { name: 'Cleared', type: 'date', jsonPath: ofCpu('clearedAt') },
    { name: 'Allocatable', type: 'string', jsonPath: ofCpu('allocatable'), priority: 1 },
    { name: 'Reserve', type: 'string', jsonPath: ofCpu('reserve'), priority: 1 },
    { name: 'Held', type: 'string', jsonPath: ofCpu('held'), priority: 1 },
    { name: 'Unmanaged', type: 'integer', jsonPath: ofCpu('unmanagedPods'), priority: 1 },
    { name: 'Nash', type: 'number', jsonPath: ofCpu('nashProductLog'), priority: 1 },
    { name: 'Mechanism', type: 'string', jsonPath: ofCpu('mechanism'), priority: 1 },
  ],
}

const attribute = (name: string): string => `.attributes[?(@.name=="${name}")].value`

export const nodeResourceTopologyDefinition: Definition = {
  resource: nodeResourceTopologies,
  description: "What a node's NUMA nodes have, and what of it is free.",
  shortNames: ['node-res-topo'],
  approved: 'https://github.com/kubernetes/enhancements/pull/1870',
  fields: nodeResourceTopologyFields,
  rules: [],
  columns: [
    { name: 'CPU Policy', type: 'string', jsonPath: attribute(attributeNames.cpuPolicy) },
    { name: 'Topology Policy', type: 'string', jsonPath: attribute(attributeNames.topologyPolicy) },
    { name: 'Scope', type: 'string', jsonPath: attribute(attributeNames.topologyScope) },
    { name: 'Free CPUs', type: 'string', jsonPath: attribute(attributeNames.freeCpus) },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    {
      name: 'Reserved',
      type: 'string',
      jsonPath: attribute(attributeNames.reservedCpus),
      priority: 1,
    },
    { name: 'Shared', type: 'string', jsonPath: attribute(attributeNames.sharedCpus), priority: 1 },
    {
      name: 'Options',
      type: 'string',
      jsonPath: attribute(attributeNames.cpuOptions),
      priority: 1,
    },
  ],
}
