/** For tests: agents and a controller on an embedded cluster, in one process and in simulated time. */
import assert from 'node:assert/strict'

import { nodeMarkets } from '../src/apis/node-market.ts'
import { type PodAllocation, podAllocations } from '../src/apis/pod-allocation.ts'
import { type Pod, pods } from '../src/apis/pod.ts'
import type { RunningAgent } from '../src/apps/agent/run.ts'
import type { CgroupWriter } from '../src/ports/cgroup.ts'
import type { Kube } from '../src/ports/kube.ts'
import { type Registry, registry } from '../src/runtime/metrics.ts'
import type { SimCluster } from '../src/sim/cluster.ts'
import { lookAt, type PodView } from './node-view.ts'
import { type AgentStart, onSite, startAgentOn, startController } from './site.ts'

export type PlatformOptions = Pick<
  AgentStart,
  'config' | 'writesKernel' | 'latency' | 'nodeCpus'
> & {
  readonly cpus?: number
  readonly seed?: number
  /** Without it nobody carries out what the agent publishes. */
  readonly hasController?: boolean
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
  /** So many on, and the millicores that each of these pods used meanwhile. */
  readonly useOver: (seconds: number, ...names: readonly string[]) => Promise<number[]>
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
  const { cpus = 4, seed = 1, hasController = true } = options
  await onSite({ cpus, seed }, async (site) => {
    const { cluster, kube, pass } = site
    const metrics = registry()
    const lines: string[] = []
    const agent = await startAgentOn(site, { ...options, metrics, lines })
    let running = agent
    const replaceAgent = async (): Promise<void> => {
      await running.stop()
      running = await startAgentOn(site, { ...options, lines })
    }
    const controller = hasController ? startController(site) : undefined
    const stop = async (): Promise<void> => {
      await Promise.all([running.stop(), controller?.stop()])
    }
    const see = (name: string): PodView => {
      const found = lookAt(cluster).get(name)
      assert.ok(found !== undefined, `no pod ${name}`)
      return found
    }
    const useOver: Platform['useOver'] = async (seconds, ...names) => {
      const used = () => names.map((name) => see(name).usedSeconds)
      const before = used()
      await pass(seconds)
      return used().map((now, i) => Math.round((1000 * (now - (before[i] ?? 0))) / seconds))
    }
    const { writer } = agent
    const acts = { pass, useOver, see, replaceAgent, stop }
    await work({ cluster, kube, agent, metrics, lines, writer, ...acts })
    await stop()
  })
}

export type PodOptions = {
  /** One that is there; `default` if not told. */
  readonly namespace?: string
  readonly load?: string
  readonly request?: string
  readonly limit?: string
  /** Requested and the limit; none if not told. */
  readonly memory?: string
  readonly annotations?: Readonly<Record<string, string>>
}

/** A pod of one container with a load; 100m of 500m if not told. */
export const loadedPod = (name: string, options: PodOptions = {}): Pod => {
  const { namespace = 'default', load = 'idle', request = '100m', limit = '500m' } = options
  const { memory, annotations = {} } = options
  const more = memory === undefined ? {} : { memory }
  const limits = { ...(limit !== '' && { cpu: limit }), ...more }
  const resources = { requests: { cpu: request, ...more }, limits }
  const container = { name: 'app', image: 'app', resources } // an image, which we do not read
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
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

export const annotate = async (
  { kube }: Platform,
  name: string,
  annotations: Readonly<Record<string, string | null>>,
) => {
  const body = { metadata: { annotations } }
  await kube.patch(pods, { namespace: 'default', name }, { type: 'merge', body })
}
