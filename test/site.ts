/** For tests: an embedded cluster in this process and in simulated time, and what of ours runs on it. */
import assert from 'node:assert/strict'
import { setMaxListeners } from 'node:events'

import { createKubeOver, type KubeClient } from '../src/adapters/kube/client.ts'
import type { Transport } from '../src/adapters/kube/transport.ts'
import { readAgentConfig } from '../src/apis/agent-config.ts'
import { readControllerConfig } from '../src/apis/controller-config.ts'
import { fieldManagers } from '../src/apis/names.ts'
import { startAgent } from '../src/apps/agent/run.ts'
import { runController } from '../src/apps/controller/controller.ts'
import { type Random, seededRandom } from '../src/core/random.ts'
import type { KeptDocument } from '../src/ports/kept-document.ts'
import type { LatencySource } from '../src/ports/latency.ts'
import type { Log } from '../src/ports/log.ts'
import { eventRecorder } from '../src/runtime/events.ts'
import { type Registry, registry } from '../src/runtime/metrics.ts'
import { createCluster, type SimCluster } from '../src/sim/cluster.ts'
import { readSimulatedCgroups } from '../src/sim/kernel/cgroup-reader.ts'
import { writeSimulatedCgroups } from '../src/sim/kernel/cgroup-writer.ts'
import { applyCrds } from './apply-crds.ts'

export type SiteOptions = {
  /** Of each node. */
  readonly cpus?: number
  /** node-0 and so on. */
  readonly nodes?: number
  readonly seed?: number
}

/** What lies between a client and the server. */
export type Way = (transport: Transport) => Transport

export type Site = {
  readonly cluster: SimCluster
  readonly kube: KubeClient
  readonly random: Random
  readonly clientOf: (userAgent: string, way?: Way) => KubeClient
  /** So many simulated seconds on. */
  readonly pass: (seconds: number) => Promise<void>
}

/** Runs `work` on a cluster that has our definitions, and nothing of ours that runs. */
export async function onSite(
  { cpus = 4, nodes = 1, seed = 1 }: SiteOptions,
  work: (site: Site) => Promise<void>,
): Promise<void> {
  const shape = { cpus, memory: '16Gi', pods: 110, labels: {}, extended: {} }
  const cluster = createCluster({
    nodes: [{ name: 'node', count: nodes, ...shape }],
    seed,
    speed: 'max',
    startsAt: Date.UTC(2026, 0, 1),
  })
  const { agenda } = cluster
  const { clock } = agenda
  agenda.expectPromises()
  const over = new AbortController()
  const ran = agenda.run({ signal: over.signal })
  const clientOf: Site['clientOf'] = (userAgent, way = (transport) => transport) =>
    createKubeOver(way(cluster.transport(userAgent)), { clock, random: seededRandom(seed) })
  const kube = clientOf('test')
  try {
    await clock.sleep(5000)
    await applyCrds(kube)
    await clock.sleep(2000) // until they are served
    const pass = async (seconds: number) => clock.sleep(seconds * 1000)
    await work({ cluster, kube, random: seededRandom(seed), clientOf, pass })
  } finally {
    over.abort()
    await ran
  }
}

export type ControllerStart = {
  /** As in its configuration file. */
  readonly config?: object
  readonly way?: Way
}

export type RunningController = {
  readonly metrics: Registry
  /** What it logged: `level message {fields}`. */
  readonly lines: readonly string[]
  /** Ends it in order. */
  readonly stop: () => Promise<void>
  /** Ends it and does not wait: for one that gets no answers any more. */
  readonly abandon: () => void
}

export function startController(
  { cluster, random, clientOf }: Site,
  { config = {}, way }: ControllerStart = {},
): RunningController {
  const { clock } = cluster.agenda
  const kube = clientOf('controller', way)
  const lines: string[] = []
  const log = logInto(lines)
  const metrics = registry()
  const ending = endless()
  const events = eventRecorder({ kube, clock, log, component: fieldManagers.controller })
  const ran = runController({
    kube,
    clock,
    random,
    log,
    metrics,
    record: events.record,
    signal: ending.signal,
    config: readControllerConfig(config, 'a test'),
  })
  return {
    metrics,
    lines,
    stop: async () => {
      ending.abort()
      await ran
      await events.flush(new AbortController().signal)
    },
    abandon: () => ending.abort(),
  }
}

export type AgentStart = {
  readonly nodeName?: string
  /** As in its configuration file. */
  readonly config?: object
  /** As with a mount that is read-only. */
  readonly writesKernel?: boolean
  readonly latency?: LatencySource | undefined
  /** Where it keeps what it learns; nowhere, and nothing is learnt, if not told. */
  readonly learnt?: KeptDocument | undefined
  readonly metrics?: Registry
  /** Gets what it logs: `level message {fields}`. */
  readonly lines?: string[]
}

/** With the writer that it has, whether or not it may use it. */
export async function startAgentOn(
  { cluster, random, clientOf }: Site,
  { nodeName = 'node-0', config = {}, writesKernel = true, ...options }: AgentStart = {},
) {
  const kernel = cluster.kernels.get(nodeName)
  assert.ok(kernel !== undefined)
  const writer = writeSimulatedCgroups(kernel)
  const ending = endless()
  const agent = await startAgent(
    {
      kube: clientOf('agent'),
      cgroups: readSimulatedCgroups(kernel),
      writer: writesKernel ? writer : undefined,
      latency: options.latency,
      learnt: options.learnt,
      clock: cluster.agenda.clock,
      random,
      log: logInto(options.lines ?? []),
      registry: options.metrics ?? registry(),
    },
    { nodeName, config: readAgentConfig(config, 'a test') },
    ending.signal,
  )
  const stop = async (): Promise<void> => {
    ending.abort()
    await agent.stopped
  }
  return { ...agent, writer, stop }
}

const logInto =
  (lines: string[]): Log =>
  (level, message, fields = {}) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)

/** Its signal may end any number of sleeps. */
function endless(): AbortController {
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  return ending
}
