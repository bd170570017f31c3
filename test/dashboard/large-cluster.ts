import { type NodeMarket, nodeMarkets } from '../../src/apis/node-market.ts'
/** For a test and a bench: a cluster of many nodes and pods whose agents answer from memory. */
import type { NodeView } from '../../src/apis/node-view.ts'
import { type Node, nodes } from '../../src/apis/node.ts'
import { type PodAllocation, podAllocations } from '../../src/apis/pod-allocation.ts'
import { type Pod, pods } from '../../src/apis/pod.ts'
import { startDashboard } from '../../src/apps/dashboard/dashboard.ts'
import type { RunningDashboard } from '../../src/apps/dashboard/serve.ts'
import { seededRandom } from '../../src/core/random.ts'
import { manualClock, type ManualClock, settled } from '../manual-clock.ts'
import { memoryKube } from '../memory-kube.ts'
import { nodeView, podView } from './standings.ts'

export type LargeCluster = RunningDashboard & {
  /** Seconds on: agents are asked, and whoever looks is told. */
  readonly pass: (seconds: number) => Promise<void>
  readonly clock: ManualClock
  readonly stop: () => Promise<void>
}

const PODS_A_NODE = 10
const nameOf = (node: number): string => `node-${String(node).padStart(4, '0')}`

export async function fillKube(nodeCount: number) {
  const kube = memoryKube()
  for (let n = 0; n < nodeCount; n += 1) {
    const name = nameOf(n)
    await kube.create(nodes, node(name))
    await kube.update(nodes, node(name), { subresource: 'status' })
    await kube.create(nodeMarkets, market(name))
    await kube.update(nodeMarkets, market(name), { subresource: 'status' })
    for (let p = 0; p < PODS_A_NODE; p += 1) {
      await kube.create(pods, pod(name, p))
      await kube.create(podAllocations, allocation(name, p))
    }
  }
  return kube
}

export async function openLargeCluster(
  kube: Awaited<ReturnType<typeof fillKube>>,
): Promise<LargeCluster> {
  const clock = manualClock()
  const ending = new AbortController()
  const random = seededRandom(1)
  const dashboard = await startDashboard(
    {
      kube,
      nodeViews: { read: async ({ name }) => Promise.resolve(viewOf(name, random)), close() {} },
      clock,
      pace: clock,
      random,
      log: () => {},
    },
    { host: '127.0.0.1', port: 0, about: () => ({ cluster: 'large', version: '0' }) },
    ending.signal,
  )
  while (!dashboard.ready().ok) await settled()
  return {
    ...dashboard,
    clock,
    pass: async (seconds) => clock.advance(seconds * 1000),
    stop: async () => {
      ending.abort()
      await dashboard.close(AbortSignal.timeout(1000))
    },
  }
}

/** No two answers are the same, as in life. */
const viewOf = (name: string, random: () => number): NodeView =>
  nodeView({
    node: name,
    pods: Array.from({ length: PODS_A_NODE }, (_, p) => {
      const used = Math.round(200 * random())
      const isSuffering = random() < 0.02
      return podView({
        uid: `${name}-${p}`,
        name: podName(name, p),
        used,
        throttledRatio: isSuffering ? 0.3 : 0,
        isSuffering,
        reason: REASON,
      })
    }),
  })

const REASON = 'gets its need of 100m, and 120m of idle CPU as head-room in its limit'
const podName = (node: string, p: number): string => `service-${p}-7d9f8b6c5-${node}`

const node = (name: string): Node => ({
  metadata: { name },
  status: {
    allocatable: { cpu: '4' },
    conditions: [{ type: 'Ready', status: 'True' }],
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
  },
})

const market = (name: string): NodeMarket => ({
  metadata: { name },
  status: {
    resources: [
      {
        name: 'cpu',
        mode: 'uncongested',
        mechanism: 'nash',
        allocatable: '4',
        reserve: '400m',
        held: '0',
        capacity: '3600m',
        sold: '1',
        unsold: '2600m',
        price: 0,
        pods: PODS_A_NODE,
        unmanagedPods: 0,
        clearedAt: '2026-01-01T00:00:00Z',
      },
    ],
    node: { agentPort: 8082 },
  },
})

const pod = (nodeName: string, p: number): Pod => ({
  metadata: { namespace: 'shop', name: podName(nodeName, p), labels: { app: `service-${p}` } },
  spec: {
    nodeName,
    containers: [
      { name: 'app', resources: { requests: { cpu: '100m' }, limits: { cpu: '220m' } } },
    ],
  },
})

const allocation = (nodeName: string, p: number): PodAllocation => ({
  metadata: { namespace: 'shop', name: podName(nodeName, p), generation: 1 },
  spec: {
    podName: podName(nodeName, p),
    nodeName,
    desiredCPURequest: '100m',
    desiredCPULimit: '220m',
    urgency: 'normal',
    decision: { mode: 'uncongested', need: '100m', price: 0, reason: REASON },
  },
})
