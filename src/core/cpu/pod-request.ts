/**
 * What a pod asks of the managers of a node, and which of its containers get CPUs of their own:
 * those of a Guaranteed pod that ask for whole CPUs.
 */
import type { Bytes, Millicores } from '../units.ts'

/** A sidecar is an init container that restarts always, and so runs beside the others. */
export type ContainerKind = 'init' | 'sidecar' | 'app'

export type ContainerRequest = {
  readonly name: string
  readonly kind: ContainerKind
  readonly cpu: Millicores
  /** `memory` and `hugepages-*`, by resource name. */
  readonly memory: Readonly<Record<string, Bytes>>
}

export type PodRequest = {
  readonly uid: string
  readonly isGuaranteed: boolean
  /** Resources of the pod as a whole: the managers leave such a pod alone (Kubernetes 1.36). */
  readonly hasPodResources: boolean
  /** In the order in which they start: init containers and sidecars as listed, then the others. */
  readonly containers: readonly ContainerRequest[]
}

/** 0: it runs in the shared pool. */
export function exclusiveCpus(pod: PodRequest, { cpu }: ContainerRequest): number {
  const isPinned = pod.isGuaranteed && !pod.hasPodResources && cpu % 1000 === 0
  return isPinned ? cpu / 1000 : 0
}

/** The most at one time: sidecars with each init container after them, or with the others. */
export function exclusiveCpusOfPod(pod: PodRequest): number {
  let sidecars = 0
  let whileStarting = 0
  let apps = 0
  for (const container of pod.containers) {
    const cpus = exclusiveCpus(pod, container)
    if (container.kind === 'sidecar') sidecars += cpus
    else if (container.kind === 'init') whileStarting = Math.max(whileStarting, sidecars + cpus)
    else apps += cpus
  }
  return Math.max(whileStarting, sidecars + apps)
}
