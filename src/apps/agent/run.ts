/** Keeps an agent going: the caches that it reads, and its two rhythms. */
import type { AgentConfig } from '../../apis/agent-config.ts'
import { agentLease } from '../../apis/agent-lease.ts'
import { limitRangeKeep, limitRanges, projectLimitRange } from '../../apis/limit-range.ts'
import { settings } from '../../apis/names.ts'
import { namespaceKeep, namespaces, projectNamespace } from '../../apis/namespace.ts'
import type { NodeView } from '../../apis/node-view.ts'
import { nodeKeep, nodes, type Node } from '../../apis/node.ts'
import { withoutForeignNote } from '../../apis/original-note.ts'
import { millicoresIn, podAllocationKeep, podAllocations } from '../../apis/pod-allocation.ts'
import { type Pod, podKeep, pods, unreadPod } from '../../apis/pod.ts'
import { enforcements } from '../../core/enforcement/enforcements.ts'
import { InvalidInput } from '../../core/errors.ts'
import { OLDEST_LATENCY_MILLIS } from '../../core/guardrail/signals.ts'
import type { PodName } from '../../core/pod-name.ts'
import type { Random } from '../../core/random.ts'
import type { CgroupReader, CgroupWriter } from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import { isReason, type Kube } from '../../ports/kube.ts'
import type { LatencySource } from '../../ports/latency.ts'
import type { Log } from '../../ports/log.ts'
import type { NodeCpusSource } from '../../ports/node-cpus.ts'
import { watchSettings } from '../../runtime/cluster-settings.ts'
import { every, feelPulse } from '../../runtime/every.ts'
import type { Verdict } from '../../runtime/http-server-probes.ts'
import { startInformer } from '../../runtime/informer.ts'
import type { Registry } from '../../runtime/metrics.ts'
import { createAgent, type NodeCpu } from './agent.ts'
import { renewLease } from './heartbeat.ts'
import { type Latencies, watchLatencies } from './latencies.ts'
import { createMending, type Mending } from './mending.ts'
import { type AgentMetrics, agentMetrics } from './metrics.ts'
import { createHearsay, seeAllocation } from './own-allocations.ts'
import { createTopologyPublisher } from './topology/publish.ts'

export type AgentPorts = {
  readonly kube: Kube
  readonly cgroups: CgroupReader
  /** Undefined: the kernel is only read. */
  readonly writer?: CgroupWriter | undefined
  /** Undefined: nobody is late; only waiting, and throttling of strict pods, tell who suffers. */
  readonly latency?: LatencySource | undefined
  /** Where its CPUs are, and what its kubelet does with them; undefined where that cannot be known. */
  readonly nodeCpus?: NodeCpusSource | undefined
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly registry: Registry
}

export type AgentOptions = {
  readonly nodeName: string
  readonly config: AgentConfig
  /** Where its state can be asked for; undefined until that is known, or where nobody can. */
  readonly agentPort?: () => number | undefined
}

export type RunningAgent = {
  /** Its rhythm goes on, whether or not the API answers. */
  readonly live: () => Verdict
  /** It knows its node and its pods, and takes samples. */
  readonly ready: () => Verdict
  /** All that it knows at this moment. */
  readonly view: () => NodeView
  /** Resolves after an abort, when nothing is written any more. */
  readonly stopped: Promise<void>
}

/** Refuses to start where it could do nothing; what goes wrong later is logged and tried again. */
export async function startAgent(
  ports: AgentPorts,
  { nodeName, config, agentPort = () => undefined }: AgentOptions,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const { kube, clock, log } = ports
  const { samplingMillis: sampling, slowMillis: clearing } = config
  cpuOf(await findNode(kube, nodeName, signal), nodeName)
  await checkAllocations(kube, nodeName, signal)

  const mending = createMending({ clock, mend: (uid) => agent.mend(uid) }, signal)
  const caches = startCaches({ ...ports, signal, onPod: mending.note }, nodeName)
  const { isSynced } = caches
  const metrics = agentMetrics(ports.registry, nodeName)
  const latencies = ports.latency && startLatencies(ports, { caches, config, metrics }, signal)
  const agent = createAgent({
    ...ports,
    nodeName,
    config,
    metrics,
    latencies,
    agentPort,
    writer: ports.writer,
    nodeCpus: ports.nodeCpus?.current ?? (() => undefined),
    pods: caches.pods.store.list,
    node: () => cpuOf(caches.node.store.get(nodeName), nodeName),
    namespaceOf: caches.namespaces.store.get,
    settings: caches.settings.current,
    allocations: { get: caches.allocations.store.get, hearsay: caches.hearsay },
    limitRangesOf: (namespace) => caches.limitRanges.store.byIndex('namespace', namespace),
  })

  let clearedAt = clock.now()
  const fastest = Math.min(clearing, config.fastMillis)
  const rhythm = { clock, signal, log, interval: sampling }
  const turns = feelPulse(rhythm, 'turn')
  const samples = feelPulse(rhythm, 'sample')
  const loops = [
    every({ ...rhythm, doing: 'sampling' }, () => {
      turns.beat()
      if (!isSynced()) return
      agent.sample(signal)
      samples.beat()
    }),
    every({ ...rhythm, doing: 'clearing the market' }, async () => {
      const since = clock.now() - clearedAt
      const isDue = since >= clearing || (agent.isClearingWanted() && since >= fastest)
      if (!isSynced()) return
      await agent.keepAllocations(signal)
      if (!isDue) return
      clearedAt = clock.now()
      await agent.clear(signal)
    }),
  ]
  const isWorking = (): boolean => isSynced() && samples.verdict().ok
  const renewing = { ...rhythm, interval: agentLease.renewMillis, doing: 'renewing the lease' }
  loops.push(
    every(renewing, async () => {
      const node = caches.node.store.get(nodeName)
      if (isWorking() && node !== undefined) await renewLease({ kube, clock, node }, signal)
    }),
  )
  if (ports.nodeCpus !== undefined) {
    const nodeUid = (): string => caches.node.store.get(nodeName)?.metadata.uid ?? ''
    const needs = { ...ports, nodeName, nodeUid, nodeCpus: ports.nodeCpus }
    const publish = createTopologyPublisher(needs)
    const publishing = async () => (isSynced() ? publish(signal) : undefined)
    loops.push(every({ ...rhythm, doing: 'publishing topology' }, publishing))
  }
  const { where } = ports.cgroups
  log('info', 'agent started', { node: nodeName, where, sampling, clearing })
  return {
    live: turns.verdict,
    ready: () => (isSynced() ? samples.verdict() : NOT_SYNCED),
    view: agent.view,
    stopped: Promise.all([...loops, caches.stopped, latencies?.stopped])
      .then(mending.stopped)
      .then(agent.close),
  }
}

type Caches = ReturnType<typeof startCaches>

/** Those that finish are deleted, as a watch says it: they hold nothing, and may be many. */
const notFinished = 'status.phase!=Succeeded,status.phase!=Failed'

/** What is kept of a page of them is in memory at once. */
const POD_PAGE = 50

type CacheNeeds = AgentPorts & {
  readonly signal: AbortSignal
  readonly onPod: Mending['note']
}

function startCaches(ports: CacheNeeds, nodeName: string) {
  const node = startInformer({
    ...ports,
    resource: nodes,
    selection: { fieldSelector: `metadata.name=${nodeName}` },
    keep: nodeKeep,
    project: ({ metadata, status }: Node): Node => ({
      metadata,
      status: { allocatable: status?.allocatable ?? {}, capacity: status?.capacity ?? {} },
    }),
  })
  const selection = { fieldSelector: `spec.nodeName=${nodeName}` }
  const ofPods = startInformer({
    ...ports,
    resource: pods,
    selection: { fieldSelector: `${selection.fieldSelector},${notFinished}` },
    keep: podKeep,
    project: withoutForeignNote,
    // One that grew too large while it ran is known as it was then; of others it is shown that they are there.
    projectUnread: (pod, held?: Pod) =>
      held?.status?.phase === 'Running' ? undefined : unreadPod(pod),
    pageSize: POD_PAGE,
    handlers: [ports.onPod],
  })
  const ofNamespaces = startInformer({
    ...ports,
    resource: namespaces,
    keep: namespaceKeep,
    project: projectNamespace,
  })
  const ofLimitRanges = startInformer({
    ...ports,
    resource: limitRanges,
    keep: limitRangeKeep,
    project: projectLimitRange,
    indexes: { namespace: ({ metadata }) => [metadata.namespace ?? ''] },
  })
  const hearsay = createHearsay()
  const ofAllocations = startInformer({
    ...ports,
    resource: podAllocations,
    selection,
    keep: podAllocationKeep,
    project: seeAllocation,
    handlers: [hearsay.note],
  })
  const settings = watchSettings(ports)
  const all = [node, ofPods, ofNamespaces, ofLimitRanges, ofAllocations, settings]
  return {
    allocations: ofAllocations,
    hearsay,
    node,
    settings,
    pods: ofPods,
    namespaces: ofNamespaces,
    limitRanges: ofLimitRanges,
    isSynced: (): boolean => all.every(({ hasSynced }) => hasSynced()),
    stopped: Promise.all(all.map(async ({ stopped }) => stopped)),
  }
}

type LatencyParts = {
  readonly caches: Caches
  readonly config: AgentConfig
  readonly metrics: AgentMetrics
}

function startLatencies(
  { latency, ...ports }: AgentPorts,
  { caches, config, metrics }: LatencyParts,
  signal: AbortSignal,
): Latencies | undefined {
  if (latency === undefined) return undefined
  const named = (): PodName[] =>
    caches.pods.store
      .list()
      .map(({ metadata: { namespace = '', name = '' } }) => ({ namespace, name }))
  return watchLatencies(
    { ...ports, source: latency, pods: named, count: metrics.latencyTold },
    // Half for the question: the answer has to count at the next clearing, within the interval.
    { intervalMillis: config.fastMillis / 2, oldestMillis: OLDEST_LATENCY_MILLIS },
    signal,
  )
}

const NOT_SYNCED: Verdict = {
  ok: false,
  reason: 'node, pods, namespaces and settings are not listed yet',
}

/** Refuses definitions from before PodAllocations could be selected by node. */
async function checkAllocations(kube: Kube, nodeName: string, signal: AbortSignal): Promise<void> {
  try {
    const fieldSelector = `spec.nodeName=${nodeName}`
    await kube.list(podAllocations, { limit: 1, fieldSelector }, { signal })
  } catch (error) {
    if (!isReason(error, 'BadRequest')) throw error
    throw new InvalidInput(
      'listing PodAllocations by spec.nodeName: the definition in the cluster is older than this agent; kubectl apply -f deploy/crds',
      { cause: error },
    )
  }
}

async function findNode(kube: Kube, name: string, signal: AbortSignal): Promise<Node> {
  try {
    return await kube.get(nodes, { name }, { signal, keep: nodeKeep })
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error
    throw new InvalidInput(
      `finding node ${name}: there is none; give --node a name that kubectl get nodes shows`,
      { cause: error },
    )
  }
}

function cpuOf(node: Node | undefined, name: string): NodeCpu {
  const { allocatable, capacity } = node?.status ?? {}
  const cpu = allocatable?.['cpu']
  if (cpu === undefined) {
    throw new InvalidInput(
      `reading node ${name}: expected status.allocatable.cpu, got nothing; has its kubelet registered it?`,
    )
  }
  const { uid = '', labels, annotations } = node?.metadata ?? {}
  const chosen = annotations?.[settings.enforcement] ?? labels?.[settings.enforcement]
  return {
    uid,
    enforcement: enforcements.find((name) => name === chosen),
    allocatable: millicoresIn(cpu),
    cpus: millicoresIn(capacity?.['cpu'] ?? cpu) / 1000,
  }
}
