/**
 * What an agent meets on a real node: a cluster with our controller, pods, a network that can fall
 * silent between the agent and the API server, and a Prometheus that knows how slow a pod is.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createKube } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import type { PodName } from '../../src/ports/latency.ts'
import { registry } from '../../src/runtime/metrics.ts'
import { type Background, startLogging, startMbcas } from '../background.ts'
import { cpuCgroup } from '../kubernetes/cgroups.ts'
import { type Cluster, startCluster } from '../kubernetes/cluster.ts'
import { until } from '../kubernetes/processes.ts'
import { type MetricsPage, serveMetrics } from './metrics-page.ts'
import { type Prometheus, startPrometheus } from './prometheus-server.ts'
import { openPod, podOf, type PodWish, type RealPod } from './real-pods.ts'
import { startProxyTo, type TcpProxy } from './tcp-proxy.ts'

export type Stage = {
  readonly cluster: Cluster
  /** Between the agent and the API server. */
  readonly network: TcpProxy
  readonly prometheus: Prometheus
  /** Makes a fifth of the requests to the slow pod take 2 s. */
  readonly slowDown: () => void
  readonly pods: ReadonlyMap<string, RealPod>
  readonly startPods: (...wished: readonly PodWish[]) => Promise<RealPod[]>
  readonly endPod: (name: string) => Promise<void>
  readonly startController: () => Promise<void>
  readonly stopController: () => Promise<void>
  /** Ready, by a command that becomes it if one is given. */
  readonly startAgent: (command?: readonly string[]) => Promise<RunningAgent>
  readonly close: () => Promise<void>
}

export type RunningAgent = Background & {
  readonly url: string
  /** From its start to live and ready. */
  readonly readyMillis: number
}

const anyPort = ['--listen', '127.0.0.1:0']

/** Of `slow` the Prometheus knows. */
export async function openStage(slow: PodName, config: object): Promise<Stage> {
  const cluster = await startCluster()
  // Whatever else this machine does, the pods get what their quotas allow.
  writeFileSync(join(cpuCgroup(cluster.name), 'cpu.shares'), '262144')
  await cluster.kubectl(['apply', '-f', 'deploy/crds'])
  await cluster.kubectl(['create', 'namespace', 'mbcas-system'])
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all'])
  const kube = createKube(await loadConfig({ kubeconfig: cluster.kubeconfig }))
  const inFolder = (name: string) => join(cluster.folder, name)
  const network = await startProxyTo(cluster, inFolder('through-proxy'))
  const { page, slowDown } = await serveRequests(slow)
  const prometheus = await startPrometheus(page.address)
  const configured = { ...config, prometheusURL: prometheus.url }
  writeFileSync(inFolder('agent.json'), JSON.stringify(configured))

  const pods = new Map<string, RealPod>()
  const agents: Background[] = []
  let controller: Background | undefined

  const startPods: Stage['startPods'] = async (...wished) => {
    const list = { apiVersion: 'v1', kind: 'List', items: wished.map(podOf) }
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(list))
    const names = wished.map(({ name }) => `pod/${name}`)
    await cluster.kubectl(['wait', '--for=condition=Ready', '--timeout=60s', ...names])
    const opened = await Promise.all(wished.map(async ({ name }) => openPod(cluster, kube, name)))
    for (const pod of opened) pods.set(pod.name, pod)
    return opened
  }

  const startAgent: Stage['startAgent'] = async (command = []) => {
    const place = ['--node', cluster.nodeName, '--cgroup-root', cluster.cgroupRoot]
    const server = ['--kubeconfig', inFolder('through-proxy')]
    const files = ['--config', inFolder('agent.json'), '--state', inFolder('learnt.json')]
    const main = [process.execPath, 'dist/src/main.js', 'agent']
    const [first, ...args] = [...command, ...main, ...place, ...server, ...files, ...anyPort]
    const began = performance.now()
    const agent = startLogging(first ?? process.execPath, args)
    agents.push(agent)
    const { url } = await said(agent, 'serving')
    const isOk = async (path: string) => (await fetch(`${String(url)}${path}`)).ok
    await until('the agent', async () => (await isOk('/healthz')) && (await isOk('/readyz')))
    return { ...agent, url: String(url), readyMillis: Math.round(performance.now() - began) }
  }

  return {
    cluster,
    network,
    prometheus,
    slowDown,
    pods,
    startPods,
    endPod: async (name) => {
      await cluster.kubectl(['delete', 'pod', name, '--wait=false'])
      pods.delete(name)
    },
    startController: async () => {
      controller = startMbcas('controller', '--kubeconfig', cluster.kubeconfig, ...anyPort)
      await said(controller, 'controller ready')
    },
    stopController: async () => void (await controller?.stop()),
    startAgent,
    close: async () => {
      await Promise.all(agents.map(async ({ stop }) => stop()))
      await controller?.stop()
      await prometheus.close()
      await page.close()
      kube.close()
      await network.close()
      await cluster.stop()
    },
  }
}

/** A hundred requests of 60 ms to a pod from one scrape to the next. */
async function serveRequests({ namespace, name }: PodName) {
  const metrics = registry()
  const took = metrics
    .histogram('http_request_duration_seconds', 'Time of a request.', {
      buckets: [0.05, 0.08, 0.25, 1, 2.5],
      labels: ['namespace', 'pod'],
    })
    .with({ namespace, pod: name })
  let slow = 0
  const page: MetricsPage = await serveMetrics(() => {
    for (let i = 0; i < 100; i += 1) took.observe(i < slow ? 2 : 0.06)
    return metrics.render()
  })
  return { page, slowDown: () => void (slow = 20) }
}

async function said({ lines }: Background, message: string) {
  const line = () => lines.find(({ msg }) => msg === message)
  await until(message, () => line() !== undefined)
  return line() ?? { msg: message, url: undefined }
}
