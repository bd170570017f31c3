/** For tests: an embedded cluster in this process and in simulated time, and what of ours runs on it. */
import { applyCrds } from '../src/adapters/kube/apply-crds.ts'
import type { KubeClient } from '../src/adapters/kube/client.ts'
import type { Transport } from '../src/adapters/kube/transport.ts'
import { readAgentConfig } from '../src/apis/agent-config.ts'
import { readControllerConfig } from '../src/apis/controller-config.ts'
import { systemNamespace } from '../src/apis/names.ts'
import { namespaces } from '../src/apis/namespace.ts'
import {
  kubeOn,
  type SimAgent,
  type SimAgentOptions,
  type SimController,
  startSimAgent,
  startSimController,
} from '../src/apps/platform/main.ts'
import { type Random, seededRandom } from '../src/core/random.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { Log } from '../src/ports/log.ts'
import { createCluster, type SimCluster } from '../src/sim/cluster.ts'
import { scenarioStart } from '../src/sim/scenario.ts'

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
    startsAt: scenarioStart,
  })
  const { agenda } = cluster
  const { clock } = agenda
  agenda.expectPromises()
  const over = new AbortController()
  const ran = agenda.run({ signal: over.signal })
  const clientOf: Site['clientOf'] = (userAgent, way) =>
    kubeOn(cluster, { userAgent, random: seededRandom(seed), ...(way && { way }) })
  const kube = clientOf('test')
  try {
    await clock.sleep(5000)
    await applyCrds(kube)
    await kube.create(namespaces, { metadata: { name: systemNamespace } })
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
  readonly clock?: Clock
}

export type RunningController = SimController & {
  /** What it logged: `level message {fields}`. */
  readonly lines: readonly string[]
}

export function startController(
  { cluster, random, clientOf }: Site,
  { config = {}, way, clock }: ControllerStart = {},
): RunningController {
  const lines: string[] = []
  const controller = startSimController(cluster, {
    kube: clientOf('controller', way),
    clock,
    random,
    log: logInto(lines),
    config: readControllerConfig(config, 'a test'),
  })
  return { ...controller, lines }
}

export type AgentStart = Pick<
  SimAgentOptions,
  'writesKernel' | 'latency' | 'metrics' | 'nodeCpus' | 'clock'
> & {
  readonly nodeName?: string
  /** As in its configuration file. */
  readonly config?: object
  /** Gets what it logs: `level message {fields}`. */
  readonly lines?: string[]
  /** What it talks to, instead of the server as it is. */
  readonly through?: (kube: KubeClient) => KubeClient
}

export const startAgentOn = async (
  { cluster, random, clientOf }: Site,
  { nodeName = 'node-0', config = {}, lines = [], through, ...options }: AgentStart = {},
): Promise<SimAgent> =>
  startSimAgent(cluster, {
    ...options,
    nodeName,
    kube: through?.(clientOf('agent')) ?? clientOf('agent'),
    random,
    log: logInto(lines),
    config: readAgentConfig(config, 'a test'),
  })

const logInto =
  (lines: string[]): Log =>
  (level, message, fields = {}) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
