/** What the dashboard knows of the cluster's objects: small copies that follow the API. */
import type { Happening } from '../../apis/dashboard.ts'
import { eventKeep, events } from '../../apis/event.ts'
import { nodeMarketKeep, nodeMarkets } from '../../apis/node-market.ts'
import { nodeKeep, nodes } from '../../apis/node.ts'
import { podAllocationKeep, podAllocations } from '../../apis/pod-allocation.ts'
import { finishedUnread, podKeep, pods } from '../../apis/pod.ts'
import type { Random } from '../../core/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import { watchAgentLeases } from '../../runtime/agent-leases.ts'
import { type SettingsWatch, watchSettings } from '../../runtime/cluster-settings.ts'
import { startInformer } from '../../runtime/informer.ts'
import type { Change, StoreView } from '../../runtime/store.ts'
import { tellEvent } from './happenings.ts'
import {
  seeAllocation,
  type SeenAllocation,
  type SeenMarket,
  type SeenNode,
  type SeenPod,
  seeMarket,
  seeNode,
  seePod,
} from './seen.ts'

export type CachePorts = {
  readonly kube: Kube
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Told of every change, in order. */
export type CacheHandlers = {
  readonly market: (change: Change<SeenMarket | undefined>) => void
  readonly allocation: (change: Change<SeenAllocation>) => void
  readonly pod: (change: Change<SeenPod>) => void
  readonly node: (change: Change<SeenNode>) => void
  readonly event: (happening: Happening) => void
  /** The agent of a node that was silent answers again. */
  readonly agentBack: (node: string) => void
}

export type Caches = {
  readonly markets: StoreView<SeenMarket | undefined>
  readonly allocations: StoreView<SeenAllocation>
  readonly pods: StoreView<SeenPod, 'node'>
  readonly nodes: StoreView<SeenNode>
  /** Of the whole cluster. */
  readonly settings: Pick<SettingsWatch, 'current' | 'fault' | 'hasSynced'>
  /** Milliseconds since the agent of a node renewed its Lease, if that is too long. */
  readonly silentFor: (node: string) => number | undefined
  /** Nodes and pods are known: enough for a first look. */
  readonly isReady: () => boolean
  /** What could not be read yet, with the remedy. */
  readonly troubles: () => readonly string[]
  readonly stopped: Promise<unknown>
}

export function startCaches(given: CachePorts, on: CacheHandlers, signal: AbortSignal): Caches {
  const ports = { ...given, signal }
  const ofNodes = startInformer({
    ...ports,
    resource: nodes,
    keep: nodeKeep,
    project: seeNode,
    handlers: [on.node],
  })
  const ofPods = startInformer({
    ...ports,
    resource: pods,
    keep: podKeep,
    projectUnread: finishedUnread,
    project: seePod,
    indexes: { node: ({ node }) => (node === undefined ? [] : [node]) },
    handlers: [on.pod],
  })
  const ofMarkets = startInformer({
    ...ports,
    resource: nodeMarkets,
    keep: nodeMarketKeep,
    project: seeMarket,
    handlers: [on.market],
  })
  const ofAllocations = startInformer({
    ...ports,
    resource: podAllocations,
    keep: podAllocationKeep,
    project: seeAllocation,
    handlers: [on.allocation],
  })
  // Only what is told is kept of an event: a cluster has many, and each is read once.
  const ofEvents = startInformer({
    ...ports,
    resource: events,
    keep: eventKeep,
    project: tellEvent,
    handlers: [
      (change) => {
        if (change.type !== 'deleted' && change.now !== undefined) on.event(change.now)
      },
    ],
  })
  const settings = watchSettings(ports)
  const agents = watchAgentLeases(ports, on.agentBack)
  const all = [
    { of: ofNodes, words: 'nodes' },
    { of: ofPods, words: 'pods' },
    { of: ofMarkets, words: 'NodeMarkets', remedy: DEFINITIONS },
    { of: ofAllocations, words: 'PodAllocations', remedy: DEFINITIONS },
    { of: ofEvents, words: 'events' },
    { of: agents, words: 'leases of mbcas-system' },
  ]
  return {
    markets: ofMarkets.store,
    allocations: ofAllocations.store,
    pods: ofPods.store,
    nodes: ofNodes.store,
    settings,
    silentFor: agents.silentFor,
    isReady: () => ofNodes.hasSynced() && ofPods.hasSynced(),
    troubles: () =>
      all
        .filter(({ of }) => !of.hasSynced() && of.counts.errors > 0)
        .map(({ words, remedy = RIGHTS }) => `the ${words} cannot be read; ${remedy}`),
    stopped: Promise.all([settings.stopped, ...all.map(async ({ of }) => of.stopped)]),
  }
}

const RIGHTS = 'is the API there, and may this account list and watch them (deploy/rbac)?'
const DEFINITIONS = `are they defined (kubectl apply -f deploy/crds)? ${RIGHTS}`
