/** Nodes full of pods: the API from the embedded cluster, in a process of its own, cgroups from the kernel. */
import { writeFileSync } from 'node:fs'

import { parseDocument } from '../../../src/adapters/document.ts'
import { applyCrds } from '../../../src/adapters/kube/apply-crds.ts'
import { createKube, type KubeClient } from '../../../src/adapters/kube/client.ts'
import { loadConfig } from '../../../src/adapters/kube/load-config.ts'
import { readFileText } from '../../../src/adapters/text-file.ts'
import type { KubeObject } from '../../../src/apis/object.ts'
import { type Pod, pods } from '../../../src/apis/pod.ts'
import { lastingContainers } from '../../../src/apps/agent/pod-facts.ts'
import type { ContainerPlace } from '../../../src/ports/cgroup.ts'
import { unlimited } from '../../contracts/embedded.ts'
import { startEmbedded } from '../../embedded.ts'
import { until } from '../../until.ts'
import { makePodGroups } from './pod-groups.ts'

/** What a kubelet allows a node, and a usual number of CPUs for so many. */
export const podsOfNode = 110
const cpusOfNode = 16
const limitMillicores = 200

export type StageNode = { readonly name: string; readonly cgroupRoot: string }

export type Stage = {
  readonly kubeconfig: string
  readonly nodes: readonly StageNode[]
  readonly strike: () => Promise<void>
}

export async function setStage(nodeCount: number): Promise<Stage> {
  const cluster = await startEmbedded('--nodes', String(nodeCount), '--cpus', String(cpusOfNode))
  const undo: (() => void | Promise<unknown>)[] = [cluster.stop]
  const strike = async () => {
    for (const step of undo.toReversed()) await step()
  }
  try {
    const config = await loadConfig({ kubeconfig: cluster.kubeconfig })
    const kube = createKube(config, { limits: unlimited })
    undo.push(kube.close)
    await applyCrds(kube)
    const nodes = Array.from({ length: nodeCount }, (_, i) => ({
      name: `node-${i}`,
      cgroupRoot: `mbcas-agent-bench-${process.pid}-${i}`,
    }))
    const containers = await Promise.all(nodes.map(async ({ name }) => fill(kube, name)))
    for (const [i, { cgroupRoot }] of nodes.entries()) {
      const ofNode = { containers: containers[i] ?? [], quotaMicros: limitMillicores * 100 }
      undo.push(makePodGroups(cgroupRoot, ofNode))
    }
    return { kubeconfig: asJson(cluster.kubeconfig), nodes, strike }
  } catch (error) {
    await strike()
    throw error
  }
}

/** An agent in a pod has a service account and loads no YAML parser: one that is measured must not. */
function asJson(kubeconfig: string): string {
  const file = `${kubeconfig}.json`
  const document = parseDocument(readFileText(kubeconfig), kubeconfig)
  writeFileSync(file, JSON.stringify(document), { mode: 0o600 })
  return file
}

/** Where its containers belong, once all of them run. */
async function fill(kube: KubeClient, nodeName: string): Promise<ContainerPlace[]> {
  const numbers = Array.from({ length: podsOfNode }, (_, i) => i)
  await Promise.all(numbers.map(async (i) => kube.create<KubeObject>(pods, podOf(nodeName, i))))
  let places: ContainerPlace[] = []
  await until(`the pods of ${nodeName}`, async () => {
    const { items } = await kube.list<Pod>(pods, { fieldSelector: `spec.nodeName=${nodeName}` })
    places = items.flatMap(lastingContainers).flatMap(({ place }) => place ?? [])
    return places.length === podsOfNode
  })
  return places
}

function podOf(nodeName: string, index: number) {
  const resources = { requests: { cpu: '50m' }, limits: { cpu: `${limitMillicores}m` } }
  return {
    metadata: { name: `${nodeName}-${index}`, namespace: 'default' },
    spec: { nodeName, containers: [{ name: 'main', image: 'busybox', resources }] },
  }
}
