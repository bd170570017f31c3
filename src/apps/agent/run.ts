/** Keeps an agent going: the caches that it reads, and its two rhythms. */
import { nodes, type Node } from '../../apis/node.ts'
import { millicoresIn, podAllocations } from '../../apis/pod-allocation.ts'
import { pods, projectPod } from '../../apis/pod.ts'
import { InvalidInput } from '../../core/errors.ts'
import type { Random } from '../../core/random.ts'
import type { CgroupReader } from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import { isReason, type Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import type { Verdict } from '../../runtime/http-server-probes.ts'
import { startInformer } from '../../runtime/informer.ts'
import type { Registry } from '../../runtime/metrics.ts'
import { createAgent, type NodeCpu } from './agent.ts'
import { agentMetrics } from './metrics.ts'

export type AgentPorts = {
  readonly kube: Kube
  readonly cgroups: CgroupReader
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly registry: Registry
}

export type AgentOptions = {
  readonly nodeName: string
  /** Milliseconds from sample to sample. */
  readonly sampling: number
  /** Milliseconds from clearing to clearing. */
  readonly clearing: number
}

export type RunningAgent = {
  /** Its rhythm goes on, whether or not the API answers. */
  readonly live: () => Verdict
  /** It knows its node and its pods, and takes samples. */
  readonly ready: () => Verdict
  /** Resolves after an abort, when nothing is written any more. */
  readonly stopped: Promise<void>
}

/** So many turns may be late before it counts as stuck. */
const LATE_TURNS = 10

/** Refuses to start where it could do nothing; what goes wrong later is logged and tried again. */
export async function startAgent(
  ports: AgentPorts,
  { nodeName, sampling, clearing }: AgentOptions,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const { kube, clock, log } = ports
  cpuOf(await findNode(kube, nodeName, signal), nodeName)
  await kube.list(podAllocations, { limit: 1 }, { signal })

  const shared = { ...ports, signal }
  const ofNode = startInformer({
    ...shared,
    resource: nodes,
    selection: { fieldSelector: `metadata.name=${nodeName}` },
    project: ({ metadata, status }: Node): Node => ({
      metadata,
      status: { allocatable: status?.allocatable ?? {}, capacity: status?.capacity ?? {} },
    }),
  })
  const ofPods = startInformer({
    ...shared,
    resource: pods,
    selection: { fieldSelector: `spec.nodeName=${nodeName}` },
    project: projectPod,
  })
  const isSynced = (): boolean => ofNode.hasSynced() && ofPods.hasSynced()
  const agent = createAgent({
    ...ports,
    nodeName,
    metrics: agentMetrics(ports.registry, nodeName),
    pods: () => ofPods.store.list(),
    node: () => cpuOf(ofNode.store.get(nodeName), nodeName),
  })

  let turnedAt = clock.now()
  let sampledAt = clock.now()
  const recent = (at: number, what: string): Verdict => {
    const late = clock.now() - at
    return late < LATE_TURNS * sampling
      ? { ok: true }
      : { ok: false, reason: `the last ${what} was ${late} ms ago` }
  }
  const rhythm = { clock, signal, log }
  const loops = [
    every(sampling, rhythm, 'sampling', () => {
      turnedAt = clock.now()
      if (!isSynced()) return
      agent.sample()
      sampledAt = clock.now()
    }),
    every(clearing, rhythm, 'clearing the market', async () => {
      if (isSynced()) await agent.clear(signal)
    }),
  ]
  log('info', 'agent started', { node: nodeName, where: ports.cgroups.where, sampling, clearing })
  return {
    live: () => recent(turnedAt, 'turn'),
    ready: () => (isSynced() ? recent(sampledAt, 'sample') : NOT_SYNCED),
    stopped: Promise.all([...loops, ofNode.stopped, ofPods.stopped]).then(() => undefined),
  }
}

const NOT_SYNCED: Verdict = { ok: false, reason: 'node and pods are not listed yet' }

type Rhythm = { readonly clock: Clock; readonly signal: AbortSignal; readonly log: Log }

/** At a fixed rhythm that a slow turn does not shift; turns that were missed are left out. */
async function every(
  duration: number,
  { clock, signal, log }: Rhythm,
  doing: string,
  work: () => void | Promise<void>,
): Promise<void> {
  for (let next = clock.now() + duration; ; next = Math.max(next + duration, clock.now())) {
    await clock.sleep(next - clock.now(), signal)
    if (signal.aborted) return
    try {
      await work()
    } catch (error) {
      log('error', doing, { error })
    }
  }
}

async function findNode(kube: Kube, name: string, signal: AbortSignal): Promise<Node> {
  try {
    return await kube.get(nodes, { name }, { signal })
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
  return { allocatable: millicoresIn(cpu), cpus: millicoresIn(capacity?.['cpu'] ?? cpu) / 1000 }
}
