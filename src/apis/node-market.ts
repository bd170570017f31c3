/**
 * NodeMarket: how the market of one node cleared last. Named as the node and owned by it; its agent
 * writes it once a clearing, and nobody acts on it.
 */
import type { InferOutput } from 'valibot'

import { type Keep, short } from './keep.ts'
import { apiVersion, groups } from './names.ts'
import type { nodeMarketStatus } from './node-market-status.ts'
import type { DeepReadonly, KubeObject, Resource } from './object.ts'

export type NodeMarketStatus = DeepReadonly<InferOutput<typeof nodeMarketStatus>>
export type MarketOfResource = NodeMarketStatus['resources'][number]
export type NodeMarket = KubeObject & { readonly status: NodeMarketStatus }

export const nodeMarkets: Resource<NodeMarket> = {
  group: groups.allocation,
  version: apiVersion,
  plural: 'nodemarkets',
  kind: 'NodeMarket',
  namespaced: false,
}

/** How its CPU was sold, without who holds it. */
export const nodeMarketKeep: Keep = {
  status: {
    node: { agentPort: short },
    resources: {
      name: short,
      mode: short,
      allocatable: short,
      reserve: short,
      held: short,
      capacity: short,
      sold: short,
      price: short,
      clearedAt: short,
      pods: short,
      sufferingPods: short,
    },
  },
}
