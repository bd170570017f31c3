/** What the controller knows of the cluster: small copies, indexed by what it asks for. */
import { horizontalPodAutoscalers, hpaKeep, projectHpa } from '../../apis/hpa.ts'
import { whole } from '../../apis/keep.ts'
import { limitRangeKeep, limitRanges, projectLimitRange } from '../../apis/limit-range.ts'
import { overrideAnnotation } from '../../apis/names.ts'
import { namespaceKeep, namespaces, projectNamespace } from '../../apis/namespace.ts'
import { type NodeMarket, nodeMarkets } from '../../apis/node-market.ts'
import { type Node, nodeKeep, nodes } from '../../apis/node.ts'
import type { KubeObject } from '../../apis/object.ts'
import { type PodAllocation, podAllocationKeep, podAllocations } from '../../apis/pod-allocation.ts'
import { cpuIn, finishedUnread, pods } from '../../apis/pod.ts'
import {
  projectResourceQuota,
  resourceQuotaKeep,
  resourceQuotas,
} from '../../apis/resource-quota.ts'
import { projectVpa, verticalPodAutoscalers, vpaKeep } from '../../apis/vpa.ts'
import type { Random } from '../../core/random.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import { watchAgentLeases } from '../../runtime/agent-leases.ts'
import { watchSettings } from '../../runtime/cluster-settings.ts'
import { startInformer } from '../../runtime/informer.ts'
import { startOptionalCache } from '../../runtime/optional-cache.ts'
import type { Change } from '../../runtime/store.ts'
import { seenPodKeep, seePod, type SeenPod } from './seen-pod.ts'

export type CachePorts = {
  readonly kube: Kube
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly signal: AbortSignal
}

/** Told of changes that may change a decision, and of no others. */
export type CacheHandlers = {
  readonly allocation: (change: Change<PodAllocation>) => void
  readonly pod: (change: Change<SeenPod>) => void
  /** Its capacity, or how its kubelet works. */
  readonly node: (name: string) => void
  /** Its words, its LimitRanges or its autoscalers. */
  readonly namespace: (name: string) => void
  readonly quota: (namespace: string) => void
  /** Those of the whole cluster. */
  readonly settings: () => void
}

export type Caches = ReturnType<typeof startCaches>

export function startCaches(ports: CachePorts, on: CacheHandlers) {
  const ofAllocations = startInformer({
    ...ports,
    resource: podAllocations,
    keep: podAllocationKeep,
    project: projectAllocation,
    handlers: [on.allocation],
  })
  const ofPods = startInformer({
    ...ports,
    resource: pods,
    keep: seenPodKeep,
    projectUnread: finishedUnread,
    project: seePod,
    indexes: {
      namespace: namespaceOf,
      node: ({ nodeName }) => (nodeName === undefined ? [] : [nodeName]),
    },
    handlers: [on.pod],
  })
  const ofNodes = startInformer({
    ...ports,
    resource: nodes,
    keep: nodeKeep,
    project: ({ status }: Node) => ({ allocatable: cpuIn(status?.allocatable) }),
    handlers: [whenOther(on.node)],
  })
  const ofMarkets = startOptionalCache({
    ...ports,
    resource: nodeMarkets,
    keep: { status: { node: whole } },
    project: ({ status }: NodeMarket) => ({ ...status.node }),
    handlers: [whenOther(on.node)],
  })
  const ofNamespaces = startInformer({
    ...ports,
    resource: namespaces,
    keep: namespaceKeep,
    project: projectNamespace,
    handlers: [whenOther(on.namespace)],
  })
  const inNamespace = (tell: (namespace: string) => void) => ({
    indexes: { namespace: namespaceOf },
    handlers: [whenOther((key) => tell(key.slice(0, key.indexOf('/'))))],
  })
  const ofLimitRanges = startInformer({
    ...ports,
    resource: limitRanges,
    keep: limitRangeKeep,
    project: projectLimitRange,
    ...inNamespace(on.namespace),
  })
  const ofQuotas = startInformer({
    ...ports,
    resource: resourceQuotas,
    keep: resourceQuotaKeep,
    project: projectResourceQuota,
    ...inNamespace(on.quota),
  })
  const ofHpas = startOptionalCache({
    ...ports,
    resource: horizontalPodAutoscalers,
    keep: hpaKeep,
    project: projectHpa,
    ...inNamespace(on.namespace),
  })
  const ofVpas = startOptionalCache({
    ...ports,
    resource: verticalPodAutoscalers,
    keep: vpaKeep,
    project: projectVpa,
    ...inNamespace(on.namespace),
  })
  const required = [ofAllocations, ofPods, ofNodes, ofNamespaces, ofLimitRanges, ofQuotas]
  const settings = watchSettings(ports, on.settings)
  const agents = watchAgentLeases(ports, on.node)
  const all = [...required, ofMarkets, ofHpas, ofVpas, settings]
  return {
    settings: settings.current,
    /** Not waited for: who may not read leases acts as if all agents lived. */
    silentFor: agents.silentFor,
    /** Of the nodes that there are: the Lease of one that is gone stays behind. */
    silentAgents: (): number =>
      agents.silentNodes().filter((name) => ofNodes.store.get(name) !== undefined).length,
    allocations: ofAllocations.store,
    pods: ofPods.store,
    nodes: ofNodes.store,
    markets: ofMarkets,
    namespaces: ofNamespaces.store,
    limitRanges: ofLimitRanges.store,
    quotas: ofQuotas.store,
    horizontal: ofHpas,
    vertical: ofVpas,
    isSynced: (): boolean => all.every(({ hasSynced }) => hasSynced()),
    stopped: Promise.all([...all, agents].map(async ({ stopped }) => stopped)),
  }
}

const namespaceOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string[] => [
  metadata.namespace ?? '',
]

/** Many objects change every few seconds in parts that are not kept. */
const whenOther =
  (tell: (key: string) => void) =>
  (change: Change<unknown>): void => {
    const isSame =
      change.type === 'updated' && JSON.stringify(change.before) === JSON.stringify(change.now)
    if (!isSame) tell(change.key)
  }

const projectAllocation = ({ metadata, spec, status }: PodAllocation): PodAllocation => {
  const { managedFields: _, annotations: __, ...rest } = metadata
  const override = metadata.annotations?.[overrideAnnotation]
  const annotations = override !== undefined && { annotations: { [overrideAnnotation]: override } }
  return { metadata: { ...rest, ...annotations }, spec, ...(status && { status }) }
}
