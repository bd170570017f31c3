/** The dashboard's caches without a server: real stores, which a test fills by hand. */
import { defaultSettings } from '../../src/apis/market-settings.ts'
import type { Caches } from '../../src/apps/dashboard/caches.ts'
import {
  seeAllocation,
  type SeenAllocation,
  type SeenMarket,
  type SeenNode,
  type SeenPod,
  seeMarket,
  seeNode,
  seePod,
} from '../../src/apps/dashboard/seen.ts'
import { Store } from '../../src/runtime/store.ts'

export const seenNode = (name: string, given: Partial<SeenNode> = {}): SeenNode => ({
  name,
  allocatable: 4000,
  isReady: true,
  message: '',
  host: undefined,
  ...given,
})

export const seenPod = (key: string, given: Partial<SeenPod> = {}): SeenPod => ({
  key,
  node: 'n1',
  isOver: false,
  request: 100,
  limit: 200,
  restarts: 0,
  ...given,
})

export const seenMarket = (given: Partial<SeenMarket> = {}): SeenMarket => ({
  mode: 'congested',
  allocatable: 4000,
  reserve: 400,
  held: 100,
  capacity: 3500,
  sold: 3500,
  price: 0.002,
  clearedAt: 7,
  managedPods: 1,
  sufferingPods: 1,
  agentPort: 8082,
  ...given,
})

export const seenAllocation = (
  key: string,
  given: Partial<SeenAllocation> = {},
): SeenAllocation => ({
  key,
  uid: 'u1',
  node: 'n1',
  generation: 1,
  observedGeneration: 1,
  decidedAt: 7,
  request: 150,
  limit: 300,
  urgency: 'normal',
  mode: 'congested',
  need: 250,
  entitled: 200,
  gets: 250,
  price: 0.002,
  reason: 'gets its share',
  phase: 'Applied',
  phaseReason: '',
  message: '',
  applied: {},
  original: undefined,
  ...given,
})

export type ManualCaches = Caches & {
  readonly put: (seen: {
    readonly nodes?: readonly SeenNode[]
    readonly pods?: readonly SeenPod[]
    readonly markets?: Readonly<Record<string, SeenMarket>>
    readonly allocations?: readonly SeenAllocation[]
  }) => void
  readonly removeNode: (name: string) => void
  /** By node: for how many milliseconds its agent has been silent. */
  readonly silent: Map<string, number>
}

export function manualCaches(troubles: readonly string[] = []): ManualCaches {
  const tell = (): void => {}
  const stores = {
    nodes: new Store({ project: seeNode, indexes: {}, tell }),
    pods: new Store({
      project: seePod,
      indexes: { node: ({ node }: SeenPod) => (node === undefined ? [] : [node]) },
      tell,
    }),
    markets: new Store({ project: seeMarket, indexes: {}, tell }),
    allocations: new Store({ project: seeAllocation, indexes: {}, tell }),
  }
  const silent = new Map<string, number>()
  let version = 0
  const entry = <P>(value: P) => ({ uid: 'u1', version: String((version += 1)), value })
  return {
    ...stores,
    settings: { current: () => defaultSettings, fault: () => undefined, hasSynced: () => true },
    silent,
    silentFor: (node) => silent.get(node),
    isReady: () => true,
    troubles: () => troubles,
    stopped: Promise.resolve(),
    put: ({ nodes = [], pods = [], markets = {}, allocations = [] }) => {
      for (const node of nodes) stores.nodes.set(node.name, entry(node))
      for (const pod of pods) stores.pods.set(pod.key, entry(pod))
      for (const [name, market] of Object.entries(markets)) stores.markets.set(name, entry(market))
      for (const one of allocations) stores.allocations.set(one.key, entry(one))
    },
    removeNode: (name) => stores.nodes.remove(name, String((version += 1))),
  }
}
