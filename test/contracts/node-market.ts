/** NodeMarket: its status is no subresource, so that one apply writes all of it. */
import assert from 'node:assert/strict'

import { type NodeMarket, nodeMarkets } from '../../src/apis/node-market.ts'
import { apiVersionOf } from '../../src/apis/object.ts'
import type { Kube } from '../../src/ports/kube.ts'
import type { Case } from './case.ts'

const cpu = {
  name: 'cpu',
  mode: 'congested',
  mechanism: 'nash',
  allocatable: '4',
  reserve: '400m',
  held: '0',
  capacity: '3600m',
  sold: '3600m',
  unsold: '0',
  pods: 2,
  unmanagedPods: 0,
  clearedAt: '2026-11-16T04:00:00Z',
}

const apply = async (kube: Kube, name: string, resource: object): Promise<NodeMarket> =>
  kube.patch(
    nodeMarkets,
    { name },
    {
      type: 'apply',
      fieldManager: 'agent',
      body: {
        apiVersion: apiVersionOf(nodeMarkets),
        kind: nodeMarkets.kind,
        metadata: { name },
        status: { resources: [resource] },
      },
    },
  )

/** It has no namespace: its name is the case's. */
async function withMarket(kube: Kube, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await kube.remove(nodeMarkets, { name })
  }
}

export const nodeMarketCases: readonly Case[] = [
  {
    name: 'an apply creates it with its status',
    run: async ({ kube }, { namespace: name }) =>
      withMarket(kube, name, async () => {
        const made = await apply(kube, name, cpu)
        assert.deepEqual(made.status.resources, [cpu])
      }),
  },
  {
    name: 'what is no longer applied goes, in the status too',
    run: async ({ kube }, { namespace: name }) =>
      withMarket(kube, name, async () => {
        await apply(kube, name, { ...cpu, price: 0.5 })
        const { status } = await apply(kube, name, { ...cpu, pods: 3 })
        assert.deepEqual(status.resources, [{ ...cpu, pods: 3 }])
      }),
  },
]
