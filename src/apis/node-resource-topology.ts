/**
 * NodeResourceTopology: what a node's NUMA nodes have, and what of it is free. The kind is that of the
 * Kubernetes topology-aware scheduling group, which schedulers of others read; it is named as its node.
 * The schema is the one source: these types and `deploy/crds` come from it.
 */
import * as v from 'valibot'

import { topologyGroup } from './names.ts'
import type { DeepReadonly, KubeObject, Resource } from './object.ts'

/** Others write longer ones than ours, so that no length is refused. */
const text = (description: string) => v.pipe(v.string(), v.description(description))

const quantity = (description: string) =>
  v.pipe(
    v.union([v.string(), v.pipe(v.number(), v.integer())]),
    v.title('quantity'),
    v.description(description),
  )

const attributes = v.pipe(
  v.array(
    v.pipe(
      v.object({ name: text('What it says'), value: text('How it is') }),
      v.description('One attribute'),
    ),
  ),
  v.description('What else is known; ours begin with mbcas.io/'),
)

const resource = v.pipe(
  v.object({
    name: text('Name of the resource, as a Node has it'),
    capacity: quantity('What there is'),
    allocatable: quantity('Of that, what pods may have: what is reserved is not among it'),
    available: quantity('Of that, what no container holds for itself alone'),
  }),
  v.description('One resource'),
)

const cost = v.pipe(
  v.object({
    name: text('A zone, also this one'),
    value: v.pipe(
      v.number(),
      v.integer(),
      v.title('whole number'),
      v.description('The distance'),
      v.metadata({ format: 'int64' }),
    ),
  }),
  v.description('How far one zone is'),
)

const zone = v.pipe(
  v.object({
    name: text('Such as node-0'),
    type: text('What kind of zone: a NUMA node is a Node'),
    parent: v.optional(text('The zone that it is a part of')),
    costs: v.optional(v.pipe(v.array(cost), v.description('How far memory of each zone is'))),
    attributes: v.optional(attributes),
    resources: v.optional(v.pipe(v.array(resource), v.description('What it has'))),
  }),
  v.description('One zone'),
)

export const nodeResourceTopologyFields = {
  topologyPolicies: v.pipe(
    v.array(text('One word for both, such as RestrictedPodLevel')),
    v.description('Policy and scope of the Topology Manager'),
  ),
  attributes: v.optional(attributes),
  zones: v.pipe(v.array(zone), v.description('The NUMA nodes')),
}

export type Attribute = DeepReadonly<v.InferOutput<typeof attributes>>[number]
export type Zone = DeepReadonly<v.InferOutput<typeof zone>>
export type ZoneResource = DeepReadonly<v.InferOutput<typeof resource>>

export type NodeResourceTopology = KubeObject & {
  readonly topologyPolicies: readonly string[]
  readonly attributes?: readonly Attribute[]
  readonly zones: readonly Zone[]
}

export const nodeResourceTopologies: Resource<NodeResourceTopology> = {
  group: topologyGroup,
  version: 'v1alpha2',
  plural: 'noderesourcetopologies',
  kind: 'NodeResourceTopology',
  namespaced: false,
}

/** Names of attributes: the first two are those that others use too. */
export const attributeNames = {
  topologyPolicy: 'topologyManagerPolicy',
  topologyScope: 'topologyManagerScope',
  topologyOptions: 'mbcas.io/topology-manager-options',
  cpuPolicy: 'mbcas.io/cpu-manager-policy',
  cpuOptions: 'mbcas.io/cpu-manager-options',
  memoryPolicy: 'mbcas.io/memory-manager-policy',
  reservedCpus: 'mbcas.io/reserved-cpus',
  reservedMemory: 'mbcas.io/reserved-memory',
  sharedCpus: 'mbcas.io/shared-cpus',
  /** Neither reserved nor given away. */
  freeCpus: 'mbcas.io/free-cpus',
  exclusiveCpus: 'mbcas.io/exclusive-cpus',
  memoryBlocks: 'mbcas.io/memory-blocks',
  devices: 'mbcas.io/devices',
  cores: 'mbcas.io/cores',
  caches: 'mbcas.io/caches',
  sockets: 'mbcas.io/sockets',
  /** Of a zone. */
  cpus: 'mbcas.io/cpus',
  /** Of a zone: all that it has, huge pages among it. */
  memory: 'mbcas.io/memory',
} as const
