/**
 * The whole platform on an embedded cluster, in its process and its time: an agent on every node, and
 * a controller. It moves only while the cluster's agenda runs.
 */
import { setMaxListeners } from 'node:events'

import { applyCrds } from '../../adapters/kube/apply-crds.ts'
import { createKubeOver, type KubeClient } from '../../adapters/kube/client.ts'
import type { Transport } from '../../adapters/kube/transport.ts'
import { type AgentConfig, readAgentConfig } from '../../apis/agent-config.ts'
import { type ControllerConfig, readControllerConfig } from '../../apis/controller-config.ts'
import { fieldManagers, systemNamespace } from '../../apis/names.ts'
import { namespaces } from '../../apis/namespace.ts'
import type { NodeView } from '../../apis/node-view.ts'
import { podAllocations } from '../../apis/pod-allocation.ts'
import { type Random, seededRandom } from '../../core/random.ts'
import type { CgroupWriter } from '../../ports/cgroup.ts'
import type { Clock } from '../../ports/clock.ts'
import { isReason, type Kube } from '../../ports/kube.ts'
import type { LatencySource } from '../../ports/latency.ts'
import type { Log } from '../../ports/log.ts'
import type { NodeCpusSource } from '../../ports/node-cpus.ts'
import { eventRecorder } from '../../runtime/events.ts'
import { type Registry, registry } from '../../runtime/metrics.ts'
import type { SimCluster } from '../../sim/cluster.ts'
import { readSimulatedCgroups } from '../../sim/kernel/cgroup-reader.ts'
import { writeSimulatedCgroups } from '../../sim/kernel/cgroup-writer.ts'
import { readSimulatedLatencies } from '../../sim/latency-source.ts'
import { type RunningAgent, startAgent } from '../agent/run.ts'
import { runController } from '../controller/controller.ts'

/** What every part of ours on the cluster gets. */
type Part = {
  readonly kube: Kube
  readonly random: Random
  readonly log: Log
  readonly metrics?: Registry | undefined
  /** Its own, where it is not the cluster's. */
  readonly clock?: Clock | undefined
}

export type SimAgentOptions = Part & {
  readonly nodeName: string
  /** The defaults if not told. */
  readonly config?: AgentConfig | undefined
  /** As with a mount that is read-only, if false. */
  readonly writesKernel?: boolean | undefined
  /** Undefined: only throttling tells who suffers. */
  readonly latency?: LatencySource | undefined
  /** Simulated kubelets give nobody CPUs of its own: somebody else has to say so. */
  readonly nodeCpus?: NodeCpusSource | undefined
}

export type SimAgent = RunningAgent & {
  /** What it has, whether or not it may use it. */
  readonly writer: CgroupWriter
  readonly stop: () => Promise<void>
}

export async function startSimAgent(
  { agenda, kernels }: SimCluster,
  { nodeName, config, writesKernel = true, metrics, clock, ...ports }: SimAgentOptions,
): Promise<SimAgent> {
  const kernel = kernels.get(nodeName)
  if (kernel === undefined) throw new Error(`starting an agent: there is no node ${nodeName}`)
  const writer = writeSimulatedCgroups(kernel)
  const ending = endless()
  const agent = await startAgent(
    {
      ...ports,
      cgroups: readSimulatedCgroups(kernel),
      writer: writesKernel ? writer : undefined,
      clock: clock ?? agenda.clock,
      registry: metrics ?? registry(),
    },
    { nodeName, config: config ?? readAgentConfig({}, 'the defaults') },
    ending.signal,
  )
  const stop = async (): Promise<void> => {
    ending.abort()
    await agent.stopped
  }
  return { ...agent, writer, stop }
}

export type SimController = {
  readonly metrics: Registry
  /** Ends it in order. */
  readonly stop: () => Promise<void>
  /** Ends it and does not wait: for one that gets no answers any more. */
  readonly abandon: () => void
}

export function startSimController(
  { agenda }: SimCluster,
  {
    config,
    metrics = registry(),
    clock = agenda.clock,
    ...part
  }: Part & { readonly config?: ControllerConfig },
): SimController {
  const ending = endless()
  const events = eventRecorder({ ...part, clock, component: fieldManagers.controller })
  const ran = runController({
    ...part,
    clock,
    metrics,
    record: events.record,
    signal: ending.signal,
    config: config ?? readControllerConfig({}, 'the defaults'),
  })
  return {
    metrics,
    stop: async () => {
      ending.abort()
      await ran
      await events.flush(new AbortController().signal)
    },
    abandon: () => ending.abort(),
  }
}

/** A client in the cluster's process; `way` is what lies between it and the server. */
export const kubeOn = (
  { agenda, transport }: SimCluster,
  options: { userAgent: string; random: Random; way?: (transport: Transport) => Transport },
): KubeClient => {
  const { userAgent, random, way = (it) => it } = options
  return createKubeOver(way(transport(userAgent)), { clock: agenda.clock, random })
}

export type PlatformOptions = {
  /** The same seed repeats a run exactly, as long as nobody comes from outside. */
  readonly seed: number
  readonly log?: Log
  readonly agentConfig?: AgentConfig
  readonly controllerConfig?: ControllerConfig
}

export type Platform = {
  /** What the agent of a node tells of it; rejects where none runs. */
  readonly readNode: (node: string) => Promise<NodeView>
  /** While time goes on. */
  readonly stop: () => Promise<void>
}

const LOOK_AGAIN_MILLIS = 100
/** As a kubelet waits before it starts a container that failed again. */
const START_AGAIN_MILLIS = 10_000

/** Once its resources are served, every node that is on has an agent, and there is a controller. */
export async function startPlatform(
  cluster: SimCluster,
  { seed, log = () => {}, agentConfig, controllerConfig }: PlatformOptions,
): Promise<Platform> {
  const { agenda, kernels } = cluster
  const { clock } = agenda
  const partOf = (userAgent: string, index: number): Part => {
    const random = seededRandom(seed * 65_536 + index)
    return { kube: kubeOn(cluster, { userAgent, random }), random, log }
  }
  const nodeNames = [...kernels.keys()]
  /** By node, of those that are on. */
  const posts = new Map<string, Post>()
  let isOver = false

  const startUntilItRuns = async (nodeName: string, signal: AbortSignal) => {
    const part = partOf(fieldManagers.agent, nodeNames.indexOf(nodeName) + 1)
    const latency = latencyOf(cluster, nodeName)
    while (!signal.aborted) {
      try {
        return await startSimAgent(cluster, { ...part, nodeName, latency, config: agentConfig })
      } catch (error) {
        log('warn', 'starting an agent', { node: nodeName, error })
        await clock.sleep(START_AGAIN_MILLIS, signal)
      }
    }
    return undefined
  }
  const turnOn = (nodeName: string): void => {
    const power = endless()
    const agent = startUntilItRuns(nodeName, power.signal)
    const post: Post = { power, agent, runs: undefined }
    posts.set(nodeName, post)
    void agent.then((runs) => (post.runs = runs))
  }
  const turnOff = async (nodeName: string): Promise<void> => {
    const post = posts.get(nodeName)
    posts.delete(nodeName)
    post?.power.abort()
    await (await post?.agent)?.stop()
  }

  await prepare(partOf('mbcas-platform', 0).kube, clock)
  const controller = startSimController(cluster, {
    ...partOf(fieldManagers.controller, nodeNames.length + 1),
    ...(controllerConfig && { config: controllerConfig }),
  })
  for (const name of nodeNames) turnOn(name)
  cluster.onPower((name, isOn) => {
    if (isOver) return
    if (isOn) turnOn(name)
    else void turnOff(name)
  })
  await Promise.all([...posts.values()].map(async ({ agent }) => agent))
  return {
    readNode: async (node) => {
      const agent = posts.get(node)?.runs
      if (agent !== undefined) return agent.view()
      throw new Error(`reading node ${node}: no agent runs on it`)
    },
    stop: async () => {
      isOver = true
      await Promise.all([controller.stop(), ...nodeNames.map(turnOff)])
    },
  }
}

/** Where an agent runs, or is about to; there is none if the power goes before. */
type Post = {
  readonly power: AbortController
  readonly agent: Promise<SimAgent | undefined>
  runs: SimAgent | undefined
}

const latencyOf = ({ api, agenda, kernels }: SimCluster, nodeName: string) => {
  const kernel = kernels.get(nodeName)
  return kernel && readSimulatedLatencies({ api, agenda, kernel })
}

/** Our resources are served. */
async function prepare(kube: Kube, clock: Clock): Promise<void> {
  await applyCrds(kube)
  await kube.create(namespaces, { metadata: { name: systemNamespace } }) // where agents' leases are
  for (;;) {
    try {
      await kube.list(podAllocations, { limit: 1 })
      return
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error
      await clock.sleep(LOOK_AGAIN_MILLIS)
    }
  }
}

/** Its signal may end any number of sleeps. */
function endless(): AbortController {
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  return ending
}
