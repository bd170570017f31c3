/** What pods and nodes use, as metrics.k8s.io tells it; a cluster need not have it. */
import { type Millicores, sum } from '../core/units.ts'
import type { KubeObject, Resource } from './object.ts'
import { cpuIn, type ResourceList } from './pod.ts'

export type PodMetrics = KubeObject & {
  readonly containers: readonly { readonly name: string; readonly usage: ResourceList }[]
}
export type NodeMetrics = KubeObject & { readonly usage: ResourceList }

const metrics = { group: 'metrics.k8s.io', version: 'v1beta1' } as const

export const podMetrics: Resource<PodMetrics> = {
  ...metrics,
  plural: 'pods',
  kind: 'PodMetrics',
  namespaced: true,
}

export const nodeMetrics: Resource<NodeMetrics> = {
  ...metrics,
  plural: 'nodes',
  kind: 'NodeMetrics',
  namespaced: false,
}

export const usedCpuOf = (metrics: PodMetrics | NodeMetrics): Millicores =>
  'containers' in metrics
    ? sum(metrics.containers.map(({ usage }) => cpuOf(usage)))
    : cpuOf(metrics.usage)

const cpuOf = (usage: ResourceList): Millicores => cpuIn(usage) ?? (0 as Millicores)
