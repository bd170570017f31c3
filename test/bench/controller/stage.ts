/** Servers with many pods that run: the embedded one, and a real one whose kubelets are hollow. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { applyCrds } from '../../../src/adapters/kube/apply-crds.ts'
import { createKube, type KubeClient } from '../../../src/adapters/kube/client.ts'
import { loadConfig } from '../../../src/adapters/kube/load-config.ts'
import { systemClock } from '../../../src/adapters/system-clock.ts'
import { systemNamespace } from '../../../src/apis/names.ts'
import { namespaces } from '../../../src/apis/namespace.ts'
import type { KubeObject, Resource } from '../../../src/apis/object.ts'
import { type Pod, pods } from '../../../src/apis/pod.ts'
import { unlimited } from '../../contracts/embedded.ts'
import { startApiServer } from '../../kubernetes/cluster.ts'
import { createNodes, startHollowKubelets } from '../../kubernetes/hollow-kubelet.ts'
import { until } from '../../until.ts'
import { eachOf } from './each-of.ts'
import { apiCounts, type Counts } from './server-counts.ts'

export type Sizes = { readonly workloads: number; readonly replicas: number }

export type Stage = {
  readonly name: string
  readonly kubeconfig: string
  readonly kube: KubeClient
  /** Those that run, by name. */
  readonly pods: readonly string[]
  /** So far, by kind, whoever asked. */
  readonly counts: () => Promise<Counts>
  readonly strike: () => Promise<void>
}

const PODS_OF_NODE = 100
export const limits = { before: '200m', after: '300m' } as const
const resources = { requests: { cpu: '100m' }, limits: { cpu: limits.before } }
const containers = [{ name: 'main', image: 'none', resources }]
const nodesFor = ({ workloads, replicas }: Sizes) =>
  Math.ceil((workloads * replicas) / PODS_OF_NODE)

const replicaSets: Resource<KubeObject & { readonly spec: unknown }> = {
  group: 'apps',
  version: 'v1',
  plural: 'replicasets',
  kind: 'ReplicaSet',
  namespaced: true,
}

function replicaSetOf(index: number, replicas: number) {
  const labels = { app: `app-${index}` }
  return {
    metadata: { namespace: 'default', name: `app-${index}` },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  }
}

/** Simulated kubelets, in real time. */
export async function embeddedStage(sizes: Sizes): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-controller-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const shape = [nodesFor(sizes), PODS_OF_NODE, PODS_OF_NODE + 20].map(String)
  const program = fileURLToPath(new URL('server-process.js', import.meta.url))
  const server = fork(program, [kubeconfig, ...shape])
  const ended = once(server, 'exit')
  await Promise.race([once(server, 'message'), ended])
  const kube = await openKube(kubeconfig)
  const strike = async (): Promise<void> => {
    kube.close()
    server.disconnect()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const counts = async (): Promise<Counts> => {
    server.send('how many')
    const [told] = (await once(server, 'message')) as [Counts]
    return told
  }
  return striking(strike, async () => {
    await prepare(kube)
    await eachOf(sizes.workloads, async (i) =>
      kube.create(replicaSets, replicaSetOf(i, sizes.replicas)),
    )
    const names = await untilRunning(kube, sizes.workloads * sizes.replicas)
    return { name: 'embedded cluster', kubeconfig, kube, pods: names, counts, strike }
  })
}

/** etcd and kube-apiserver, and nobody else who acts. */
export async function realStage(sizes: Sizes): Promise<Stage> {
  const server = await startApiServer()
  const kube = await openKube(server.kubeconfig)
  const nodes = Array.from({ length: nodesFor(sizes) }, (_, i) => `node-${i}`)
  const kubelets = startHollowKubelets({ kube, clock: systemClock, nodes: new Set(nodes) })
  const strike = async (): Promise<void> => {
    await kubelets.stop()
    kube.close()
    await server.stop()
  }
  return striking(strike, async () => {
    await prepare(kube)
    await createNodes(kube, nodes, PODS_OF_NODE)
    await eachOf(sizes.workloads, async (i) => {
      const owner = await kube.create(replicaSets, replicaSetOf(i, 0))
      for (let replica = 0; replica < sizes.replicas; replica += 1) {
        const nodeName = nodes[(i * sizes.replicas + replica) % nodes.length] ?? ''
        await kube.create<KubeObject>(pods, podOf(owner, { replica, nodeName }))
      }
    })
    const names = await untilRunning(kube, sizes.workloads * sizes.replicas)
    const { kubeconfig } = server
    const counts = async () => apiCounts(kube)
    return { name: 'real kube-apiserver', kubeconfig, kube, pods: names, counts, strike }
  })
}

function podOf(
  { metadata: { name = '', uid = '' } }: KubeObject,
  { replica, nodeName }: { readonly replica: number; readonly nodeName: string },
) {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid, controller: true }
  return {
    metadata: { namespace: 'default', name: `${name}-${replica}`, ownerReferences: [owner] },
    spec: { nodeName, containers },
  }
}

async function prepare(kube: KubeClient): Promise<void> {
  await applyCrds(kube)
  await kube.create<KubeObject>(namespaces, { metadata: { name: systemNamespace } })
}

const openKube = async (kubeconfig: string): Promise<KubeClient> =>
  createKube(await loadConfig({ kubeconfig }), { limits: unlimited, userAgent: 'bench' })

async function untilRunning(kube: KubeClient, count: number): Promise<readonly string[]> {
  let running: readonly Pod[] = []
  await until(
    `${count} pods`,
    async () => {
      const { items } = await kube.list(pods, { namespace: 'default' })
      running = items.filter(({ status }) => status?.phase === 'Running')
      return running.length === count
    },
    () => `${running.length} that run`,
  )
  return running.map(({ metadata }) => metadata.name ?? '')
}

async function striking<T>(strike: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await strike()
    throw error
  }
}
