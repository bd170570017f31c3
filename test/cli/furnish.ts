/** Objects for the command line to tell of: three nodes, of which one is short and one is silent. */
import { namespaces } from '../../src/apis/namespace.ts'
import { type MarketOfResource, type NodeMarket, nodeMarkets } from '../../src/apis/node-market.ts'
import { nodeResourceTopologies } from '../../src/apis/node-resource-topology.ts'
import {
  type PodAllocation,
  podAllocations,
  type PodAllocationSpec,
  type PodAllocationStatus,
} from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import type { Millis } from '../../src/core/units.ts'
import type { Kube } from '../../src/ports/kube.ts'
import { timestamp } from '../../src/runtime/conditions.ts'
import { nodeTopology } from './node-topology.ts'

const reasons = {
  web: 'gets 25 % of the node while it is full, and all it wants otherwise; gets its need of 900m in full: its weight of 3 entitles it to that much',
  worker:
    'gets 35 % of the node while it is full, and all it wants otherwise; gets 1250m of the 1800m it needs: capacity is short, so above its floor of 500m it gets 750m, its share by weight 1 at a price of 0.001333 per millicore',
  batch:
    'gets 8 % of the node while it is full, and all it wants otherwise; needs 260m of the 300m that it is entitled to',
}

type Market = Omit<MarketOfResource, 'name' | 'mechanism' | 'allocatable' | 'reserve' | 'clearedAt'>

const marketOf = (
  name: string,
  clearedAt: string,
  { market, ...more }: { market: Market } & Partial<NodeMarket['status']>,
): NodeMarket => ({
  metadata: { name },
  status: {
    resources: [
      { name: 'cpu', mechanism: 'nash', allocatable: '4', reserve: '400m', ...market, clearedAt },
    ],
    ...more,
  },
})

const calm: Market = {
  mode: 'uncongested',
  held: '100m',
  capacity: '3500m',
  sold: '300m',
  unsold: '3200m',
  price: 0,
  pods: 1,
  unmanagedPods: 1,
  sufferingPods: 0,
}

export const markets = (now: Millis): NodeMarket[] => {
  const ago = (seconds: number): string => timestamp((now - seconds * 1000) as Millis)
  return [
    marketOf('node-0', ago(4), {
      market: { ...calm, holders: [{ pod: 'default/batch-0', amount: '258m' }] },
      node: { cgroupDriver: 'systemd', cpuManagerPolicy: 'none' },
    }),
    marketOf('node-1', ago(2), {
      market: {
        mode: 'congested',
        held: '0',
        capacity: '3600m',
        sold: '3600m',
        unsold: '0',
        price: 0.001333,
        pods: 2,
        unmanagedPods: 0,
        sufferingPods: 1,
        holders: [
          { pod: 'shop/worker-0', amount: '1557m' },
          { pod: 'shop/web-7d4b9c-x2x1q', amount: '774m' },
        ],
      },
      changes: [
        {
          pod: 'shop/web-7d4b9c-x2x1q',
          at: ago(12),
          from: '100m',
          to: '855m',
          reason: reasons.web,
        },
        { pod: 'shop/worker-0', at: ago(75), from: '600m', to: '500m', reason: reasons.worker },
      ],
      suffering: [
        {
          namespace: 'shop',
          name: 'web-7d4b9c-x2x1q',
          reason: 'waits for a CPU 61 % of the time',
        },
      ],
      heldBack: [
        {
          namespace: 'shop',
          name: 'worker-0',
          to: '1557m',
          reason: 'to protect shop/web-7d4b9c-x2x1q, which waits for a CPU 61 % of the time',
        },
      ],
    }),
    // Of an agent that does not tell who suffers, and fell silent.
    marketOf('node-2', ago(1200), { market: without(calm, 'sufferingPods') }),
  ]
}

function without<T extends object, K extends keyof T>(from: T, key: K): Omit<T, K> {
  const { [key]: _gone, ...rest } = from
  return rest
}

type PodGiven = {
  readonly namespace: string
  readonly name: string
  readonly node: string
  readonly app: string
  readonly cpu: readonly [request: string, limit: string]
  /** On simulated nodes. */
  readonly load: string
  readonly annotations?: Readonly<Record<string, string>>
}

export const podGiven: readonly PodGiven[] = [
  {
    namespace: 'shop',
    name: 'web-7d4b9c-x2x1q',
    node: 'node-1',
    app: 'web',
    cpu: ['855m', '900m'],
    load: 'steady cpu=780m',
    annotations: { 'mbcas.io/min-cpu': '100m', 'mbcas.io/priority-multiplier': '3' },
  },
  {
    namespace: 'shop',
    name: 'worker-0',
    node: 'node-1',
    app: 'worker',
    cpu: ['500m', '2'],
    load: 'steady cpu=1565m',
  },
  {
    namespace: 'default',
    name: 'batch-0',
    node: 'node-0',
    app: 'batch',
    cpu: ['300m', '3500m'],
    load: 'steady cpu=260m',
  },
  {
    namespace: 'default',
    name: 'loner',
    node: 'node-0',
    app: 'loner',
    cpu: ['100m', '200m'],
    load: 'idle',
  },
]

const podOf = ({ namespace, name, node, app, cpu, load, annotations }: PodGiven) => ({
  metadata: {
    namespace,
    name,
    labels: { app },
    annotations: { 'sim.mbcas.io/load': load, ...annotations },
  },
  spec: {
    nodeName: node,
    containers: [
      // The image is for the server; we do not read it.
      {
        name: 'app',
        image: 'app',
        resources: { requests: { cpu: cpu[0] }, limits: { cpu: cpu[1] } },
      },
    ],
  },
})

type Told = {
  readonly namespace: string
  readonly name: string
  readonly spec: Omit<PodAllocationSpec, 'podName' | 'urgency'> & Partial<PodAllocationSpec>
  readonly status: PodAllocationStatus
}

const allocations = (now: Millis): Told[] => {
  const ago = (seconds: number): string => timestamp((now - seconds * 1000) as Millis)
  return [
    {
      namespace: 'shop',
      name: 'web-7d4b9c-x2x1q',
      spec: {
        nodeName: 'node-1',
        desiredCPURequest: '855m',
        desiredCPULimit: '900m',
        urgency: 'guardrail',
        decision: {
          mode: 'congested',
          need: '900m',
          entitled: '100m',
          gets: '900m',
          price: 0.001333,
          reason: reasons.web,
        },
      },
      status: {
        phase: 'Applied',
        reason: 'Applied',
        message: 'the kubelet has set what is desired',
        appliedCPURequest: '855m',
        appliedCPULimit: '900m',
        originalCPURequest: '100m',
        originalCPULimit: '500m',
        lastAppliedTime: ago(11),
        attempts: 1,
      },
    },
    {
      namespace: 'shop',
      name: 'worker-0',
      spec: {
        nodeName: 'node-1',
        desiredCPURequest: '1188m',
        desiredCPULimit: '2',
        decision: {
          mode: 'congested',
          need: '1800m',
          entitled: '500m',
          gets: '1250m',
          price: 0.001333,
          reason: reasons.worker,
        },
      },
      status: {
        phase: 'Pending',
        reason: 'NodeHeadroom',
        message: 'node-1 has 250m left, and the increase needs 688m; 250m of it are asked for',
        appliedCPURequest: '500m',
        appliedCPULimit: '2',
        originalCPURequest: '500m',
        originalCPULimit: '2',
        lastAttemptTime: ago(300),
        attempts: 2,
      },
    },
    {
      namespace: 'default',
      name: 'batch-0',
      spec: {
        nodeName: 'node-0',
        desiredCPURequest: '300m',
        desiredCPULimit: '3500m',
        decision: {
          mode: 'uncongested',
          need: '260m',
          entitled: '300m',
          gets: '260m',
          price: 0,
          reason: reasons.batch,
        },
      },
      status: {
        phase: 'Applied',
        reason: 'Applied',
        message: 'the kubelet has set what is desired',
        appliedCPURequest: '300m',
        appliedCPULimit: '3500m',
        lastAppliedTime: ago(600),
        attempts: 1,
      },
    },
  ]
}

/** On a cluster that has our definitions. */
export async function furnish(kube: Kube, now: Millis): Promise<void> {
  await kube.create(namespaces, { metadata: { name: 'shop' } })
  for (const given of podGiven) await kube.create(pods, podOf(given))
  for (const { namespace, name, spec, status } of allocations(now)) {
    const created = await kube.create<PodAllocation>(podAllocations, {
      metadata: { namespace, name },
      spec: { urgency: 'normal', ...spec, podName: name },
    })
    await kube.update(podAllocations, { ...created, status }, { subresource: 'status' })
  }
  for (const market of markets(now)) await kube.create(nodeMarkets, market)
  await kube.create(nodeResourceTopologies, nodeTopology)
}
