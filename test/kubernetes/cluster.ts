/**
 * A real Kubernetes cluster, of one node or a few, in a folder of its own:
 *
 *   const cluster = await startCluster()
 *   await cluster.kubectl(['get', 'nodes'])
 *   await cluster.stop()
 *
 * About 10 seconds, 630 MB. A process that ends without a stop ends its cluster, too.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { pathOf, real } from '../real.ts'
import { bringUp } from './bring-up.ts'
import { cpuCgroup, makeCgroup } from './cgroups.ts'
import { claimCluster, readClaims } from './claims.ts'
import { cleanUp, sweep } from './cleanup.ts'
import { type Plan, planCluster, writeFiles } from './config.ts'
import { hiddenFolders, openMachine, type Machine } from './machine.ts'
import { answer } from './processes.ts'

export interface ClusterNode {
  readonly nodeName: string
  /** As the kubelet's configuration has it, and as `mbcas agent --cgroup-root` wants it. */
  readonly cgroupRoot: string
  /** Holds `kubepods`, as a path of the hierarchy that has the cpu controller. */
  readonly cpuCgroupRoot: string
  /** As `mbcas agent --kubelet-dir` wants it. */
  readonly kubeletFolder: string
  /** As `mbcas agent --kubelet-config` wants it. */
  readonly kubeletConfig: string
  /** As `mbcas agent --sys` wants it. */
  readonly sys: string
  /** The socket of its containerd, as `ctr --address` wants it. */
  readonly containerd: string
}

export interface ApiServer {
  /** Also of its bridge and its cgroups. */
  readonly name: string
  readonly folder: string
  readonly kubeconfig: string
  readonly url: string
  /** What kubectl printed; throws what it said when it fails. */
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>
  readonly stop: () => Promise<void>
  /** Lets it live on when this process ends; `real:down` ends it. */
  readonly leaveRunning: () => void
}

/** Of the first node, where it has several. */
export interface Cluster extends ApiServer, ClusterNode {
  readonly nodes: readonly ClusterNode[]
}

interface ServerOptions {
  /** Made, and removed with the cluster. A fresh temporary one by default. */
  readonly folder?: string
  /** Receives a line a milestone, with its time. */
  readonly say?: (text: string) => void
}

export interface ClusterOptions extends ServerOptions {
  /** They share one machine: its CPUs count for each, and so does the device plugins' socket. */
  readonly nodes?: number
  /** What else is in the configuration of a node's kubelet, by the node's number. */
  readonly kubelet?: (node: number) => object
  /** What a node's kubelet finds at `/sys/devices/system`: a folder, or this machine's own. */
  readonly sys?: (node: number) => string | undefined
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { plan, ...server } = await start({ ...options, nodes: options.nodes ?? 1 })
  const nodes = plan.nodes.map((node) => ({
    nodeName: node.name,
    cgroupRoot: `/${node.cgroup}`,
    cpuCgroupRoot: cpuCgroup(node.cgroup),
    kubeletFolder: node.kubeletFolder,
    kubeletConfig: node.kubeletConfig,
    sys: node.sys ?? '/sys/devices/system',
    containerd: node.containerd,
  }))
  const [first] = nodes
  if (first === undefined) throw new Error('expected at least one node')
  return { ...first, ...server, nodes }
}

/** etcd and kube-apiserver alone: no node, and nobody who acts on what is written. */
export async function startApiServer(options: ServerOptions = {}): Promise<ApiServer> {
  const { plan: _plan, ...server } = await start({ ...options, nodes: 0 })
  return server
}

type Started = ApiServer & { readonly plan: Plan }

async function start(options: ClusterOptions & { readonly nodes: number }): Promise<Started> {
  const binaries = pathOf(real.kubernetes)
  pathOf(real.packages)
  pathOf(real.root)
  await sweep()
  const claim = await claimCluster(takeFolder(options.folder))
  let machine: Machine | undefined
  try {
    machine = await openMachine(claim) // first, since from here on its keeper cleans up
    const plan = planCluster(claim, binaries, options)
    const kubeconfig = writeFiles(plan, options.kubelet ?? (() => ({})))
    for (const node of plan.nodes) makeCgroup(node.cgroup)
    const kubectl: Cluster['kubectl'] = async (args, input) =>
      answer(join(binaries, 'kubectl'), ['--kubeconfig', kubeconfig, ...args], input)
    await bringUp({ plan, machine, kubectl, say: options.say ?? (() => {}) })
    const { close, leaveRunning } = machine
    const { name, folder, url } = plan
    return { name, folder, kubeconfig, url, kubectl, stop: close, leaveRunning, plan }
  } catch (error) {
    await (machine?.close() ?? cleanUp(claim))
    throw new Error(`starting cluster ${claim.name}`, { cause: error })
  }
}

/** An empty folder, or one that a cluster which is gone has left. */
function takeFolder(wanted: string | undefined): string {
  const mark = '.mbcas-cluster'
  const folder =
    wanted === undefined ? mkdtempSync(join(tmpdir(), 'mbcas-cluster-')) : resolve(wanted)
  if (hiddenFolders.some((hidden) => folder.startsWith(`${hidden}/`)))
    throw new Error(`taking ${folder}: expected a folder outside ${hiddenFolders.join(', ')}`)
  if (readClaims().some((claim) => claim.folder === folder))
    throw new Error(`taking ${folder}: a cluster runs there; end it with npm run real:down`)
  if (existsSync(join(folder, mark))) rmSync(folder, { recursive: true })
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`taking ${folder}: expected an empty folder`)
  writeFileSync(join(folder, mark), '')
  return folder
}
