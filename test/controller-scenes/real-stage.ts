/**
 * A real cluster; agents and a controller as processes, each with its own service account and what
 * `deploy/rbac` gives it; and pods.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { KubeClient } from '../../src/adapters/kube/client.ts'
import { events } from '../../src/apis/event.ts'
import { fieldManagers, systemNamespace } from '../../src/apis/names.ts'
import { pods } from '../../src/apis/pod.ts'
import { type Background, startLogging, startMbcas } from '../background.ts'
import { isReady } from '../contracts/expect.ts'
import { cpuCgroup } from '../kubernetes/cgroups.ts'
import type { ClusterNode, ClusterOptions } from '../kubernetes/cluster.ts'
import { type Accounts, openAccounts } from '../real/accounts.ts'
import { openPod, podOf, type PodWish, type RealPod } from '../real/real-pods.ts'
import { until } from '../until.ts'

export type AgentWish = {
  readonly node: number
  /** As in its configuration file. */
  readonly config: object
  /** Its cgroups are mounted read-only: all goes through the API. */
  readonly isReadOnly?: boolean
}

export type RealStage = {
  /** Of a person who may everything. */
  readonly kubeconfig: string
  readonly kube: KubeClient
  readonly kubectl: (...args: readonly string[]) => Promise<string>
  readonly nodeOf: (name: string) => ClusterNode
  readonly apply: (object: object) => Promise<void>
  readonly startPods: (...wished: readonly PodWish[]) => Promise<readonly RealPod[]>
  readonly startController: () => Promise<Background>
  readonly startAgent: (wish: AgentWish) => Promise<Background>
  /** Of the controller about a pod, such as `CPUApplied Applied: ...`. */
  readonly eventsOf: (name: string) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

const anyPort = ['--listen', '127.0.0.1:0']

export async function openRealStage(options: ClusterOptions): Promise<RealStage> {
  const accounts = await openAccounts(options)
  const { cluster } = accounts
  // All pods weigh as two processes of whoever else is on this machine, not as one.
  writeFileSync(join(cpuCgroup(cluster.name), 'cpu.shares'), '2048')
  for (const { nodeName } of cluster.nodes) await addAgentOf(accounts, nodeName)
  const kube = accounts.as('person')
  const started: Background[] = []
  const nodeOf = (name: string): ClusterNode => {
    const found = cluster.nodes.find(({ nodeName }) => nodeName === name)
    assert.ok(found, `no node ${name}`)
    return found
  }

  const apply = async (object: object): Promise<void> => {
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(object))
  }

  const startPods: RealStage['startPods'] = async (...wished) => {
    const items = wished.map((wish) => podOf({ namespace: 'default', ...wish }))
    await apply({ apiVersion: 'v1', kind: 'List', items })
    return Promise.all(
      wished.map(async ({ name, namespace = 'default', nodeName = '' }) => {
        const place = { namespace, name }
        await until(`${name} to run`, async () => isReady(await kube.get(pods, place)))
        return openPod(nodeOf(nodeName), kube, place)
      }),
    )
  }

  const startAgent: RealStage['startAgent'] = async ({ config, node, isReadOnly = false }) => {
    const place = cluster.nodes[node]
    assert.ok(place)
    const file = join(cluster.folder, `agent-${started.length}.json`)
    writeFileSync(file, JSON.stringify(config))
    const flags = {
      node: place.nodeName,
      'cgroup-root': place.cgroupRoot,
      'kubelet-dir': place.kubeletFolder,
      'kubelet-config': place.kubeletConfig,
      sys: place.sys,
      kubeconfig: accounts.kubeconfigOf(place.nodeName),
      config: file,
    }
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
    const agent = isReadOnly
      ? startLogging('unshare', [...readOnly, process.execPath, main, 'agent', ...args, ...anyPort])
      : startMbcas('agent', ...args, ...anyPort)
    started.push(agent)
    await untilSaid(agent, 'agent started')
    return agent
  }

  return {
    kubeconfig: cluster.kubeconfig,
    kube,
    kubectl: async (...args) => cluster.kubectl(args),
    nodeOf,
    apply,
    startPods,
    startController: async () => {
      const kubeconfig = accounts.kubeconfigOf('controller')
      const controller = startMbcas('controller', '--kubeconfig', kubeconfig, ...anyPort)
      started.push(controller)
      await untilSaid(controller, 'controller ready')
      return controller
    },
    startAgent,
    eventsOf: async (name) => {
      const { items } = await kube.list(events)
      return items
        .filter(({ involvedObject }) => involvedObject.name === name)
        .filter(({ reportingComponent }) => reportingComponent === fieldManagers.controller)
        .map(({ reason, message }) => `${reason} ${message}`)
    },
    close: async () => {
      await Promise.all(started.map(async ({ stop }) => stop()))
      await accounts.stop()
    },
  }
}

const main = 'dist/src/main.js'
const mounts = ['cpu', 'cpuacct'].map((one) => `mount -o remount,bind,ro /sys/fs/cgroup/${one}`)
/** A command that becomes the one that follows. */
const readOnly = ['--mount', 'sh', '-ec', [...mounts, 'exec "$@"'].join('; '), 'sh']

/** With a token that is bound to the node. */
async function addAgentOf({ add, kubectl }: Accounts, nodeName: string): Promise<void> {
  const bound = ['--bound-object-kind', 'Node', '--bound-object-name', nodeName]
  const create = ['create', 'token', 'mbcas-agent', '-n', systemNamespace, ...bound]
  const { code, stdout, stderr } = await kubectl(create)
  assert.equal(code, 0, stderr)
  await add(nodeName, stdout)
}

async function untilSaid({ lines, said, ended }: Background, message: string): Promise<void> {
  let over = false
  void ended.then(() => (over = true))
  const isSaid = () => lines.some(({ msg }) => msg === message)
  await until(message, () => isSaid() || over)
  assert.ok(isSaid(), `ended: ${said()}${lines.map((line) => JSON.stringify(line)).join('\n')}`)
}
