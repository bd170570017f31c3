/** For tests: agents and a controller on an embedded cluster, in one process and in simulated time. */
import assert from 'node:assert/strict'
import { setMaxListeners } from 'node:events'

import { createKubeOver } from '../src/adapters/kube/client.ts'
import { readAgentConfig } from '../src/apis/agent-config.ts'
import { nodeMarkets } from '../src/apis/node-market.ts'
import { type PodAllocation, podAllocations } from '../src/apis/pod-allocation.ts'
import { type Pod, pods } from '../src/apis/pod.ts'
import { type RunningAgent, startAgent } from '../src/apps/agent/run.ts'
import { runController } from '../src/apps/controller/controller.ts'
import { seededRandom } from '../src/core/random.ts'
import type { CgroupWriter } from '../src/ports/cgroup.ts'
import type { KeptDocument } from '../src/ports/kept-document.ts'
import type { Kube } from '../src/ports/kube.ts'
import type { LatencySource } from '../src/ports/latency.ts'
import { type Registry, registry } from '../src/runtime/metrics.ts'
import { createCluster, type SimCluster } from '../src/sim/cluster.ts'
import { readSimulatedCgroups } from '../src/sim/kernel/cgroup-reader.ts'
import { writeSimulatedCgroups } from '../src/sim/kernel/cgroup-writer.ts'
import { applyCrds } from './apply-crds.ts'
import { lookAt, type PodView } from './node-view.ts'

export type PlatformOptions = {
  readonly cpus?: number
  readonly seed?: number
  /** As in the agent's configuration file. */
  readonly config?: object
  /** Without it nobody carries out what the agent publishes. */
  readonly hasController?: boolean
  /** As with a mount that is read-only. */
  readonly writesKernel?: boolean
  readonly latency?: LatencySource
  /** Where the agent keeps what it learns; nowhere, and nothing is learnt, if not told. */
  readonly learnt?: KeptDocument
}

export type Platform = {
  readonly cluster: SimCluster
  readonly kube: Kube
  /** Of node-0. */
  readonly agent: RunningAgent
  readonly metrics: Registry
  /** What the agent logged: `level message {fields}`. */
  readonly lines: readonly string[]
  readonly writer: CgroupWriter
  /** So many simulated seconds on. */
  readonly pass: (seconds: number) => Promise<void>
  /** A pod of the node as it is now. */
  readonly see: (name: string) => PodView
  /** Another agent takes the place of the one that runs, which ends. */
  readonly replaceAgent: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Runs `work` on a cluster of one node, with an agent on it. */
export async function onPlatform(
  options: PlatformOptions,
  work: (platform: Platform) => Promise<void>,
): Promise<void> {
  const { cpus = 4, seed = 1, config = {}, hasController = true, writesKernel = true } = options
  const group = {
    name: 'node',
    count: 1,
    cpus,
    memory: '16Gi',
    pods: 110,
    labels: {},
    extended: {},
  }
  const startsAt = Date.UTC(2026, 0, 1)
  const cluster = createCluster({ nodes: [group], seed, speed: 'max', startsAt })
  const { agenda } = cluster
  const { clock } = agenda
  agenda.expectPromises()
  const over = new AbortController()
  const ran = agenda.run({ signal: over.signal })
  const clientOf = (userAgent: string) =>
    createKubeOver(cluster.transport(userAgent), { clock, random: seededRandom(seed) })
  const kube = clientOf('test')
  const stop = new AbortController()
  setMaxListeners(0, stop.signal) // it ends any number of sleeps
  const lines: string[] = []
  const log = (level: string, message: string, fields: object = {}) =>
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const random = seededRandom(seed)
  try {
    await clock.sleep(5000)
    await applyCrds(kube)
    await clock.sleep(2000) // until they are served
    const kernel = cluster.kernels.get('node-0')
    assert.ok(kernel !== undefined)
    const writer = writeSimulatedCgroups(kernel)
    const metrics = registry()
    const startOne = async (registered: Registry) => {
      const ended = new AbortController()
      setMaxListeners(0, ended.signal)
      stop.signal.addEventListener('abort', () => ended.abort())
      const agent = await startAgent(
        {
          kube: clientOf('agent'),
          cgroups: readSimulatedCgroups(kernel),
          writer: writesKernel ? writer : undefined,
          latency: options.latency,
          learnt: options.learnt,
          clock,
          random,
          log,
          registry: registered,
        },
        { nodeName: 'node-0', config: readAgentConfig(config, 'a test') },
        ended.signal,
      )
      return { ...agent, end: () => ended.abort() }
    }
    const agent = await startOne(metrics)
    let running = agent
    const replaceAgent = async (): Promise<void> => {
      running.end()
      await running.stopped
      running = await startOne(registry())
    }
    const controller = hasController
      ? runController({
          kube: clientOf('controller'),
          clock,
          random,
          log: () => undefined,
          metrics: registry(),
          record: () => undefined,
          signal: stop.signal,
        })
      : undefined
    const stopAll = async (): Promise<void> => {
      stop.abort()
      await Promise.all([running.stopped, controller])
    }
    const pass = async (seconds: number) => clock.sleep(seconds * 1000)
    const see = (name: string): PodView => {
      const found = lookAt(cluster).get(name)
      assert.ok(found !== undefined, `no pod ${name}`)
      return found
    }
    const acts = { pass, see, replaceAgent, stop: stopAll }
    await work({ cluster, kube, agent, metrics, lines, writer, ...acts })
    await stopAll()
  } finally {
    over.abort()
    await ran
  }
}

export type PodOptions = {
  readonly load?: string
  readonly request?: string
  readonly limit?: string
  /** Requested and the limit; none if not told. */
  readonly memory?: string
  readonly annotations?: Readonly<Record<string, string>>
}

/** A pod of one container with a load; 100m of 500m if not told. */
export const loadedPod = (
  name: string,
  { load = 'idle', request = '100m', limit = '500m', memory, annotations = {} }: PodOptions = {},
): Pod => {
  const more = memory === undefined ? {} : { memory }
  const limits = { ...(limit !== '' && { cpu: limit }), ...more }
  const resources = { requests: { cpu: request, ...more }, limits }
  const container = { name: 'app', image: 'app', resources } // an image, which we do not read
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      annotations: { 'sim.mbcas.io/load': load, ...annotations },
    },
    spec: { containers: [container] },
  }
}

export const createPods = async (kube: Kube, given: readonly Pod[]): Promise<void> => {
  for (const pod of given) await kube.create(pods, pod)
}

/** By pod. */
export async function allocationsIn(kube: Kube): Promise<Record<string, PodAllocation>> {
  const { items } = await kube.list(podAllocations)
  return Object.fromEntries(items.map((one) => [one.metadata.name ?? '', one]))
}

export const marketIn = async (kube: Kube) => kube.get(nodeMarkets, { name: 'node-0' })
