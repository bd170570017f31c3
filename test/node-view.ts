/** For tests: what pods of node-0 have at this moment, in their specs, their allocations and the kernel. */
import type { KubeObject, Resource } from '../src/apis/object.ts'
import { millicoresIn, type PodAllocation, podAllocations } from '../src/apis/pod-allocation.ts'
import { lastingIn, statusesIn } from '../src/apis/pod-containers.ts'
import { type ContainerStatus, cpuIn, type Pod, pods } from '../src/apis/pod.ts'
import { sumOfAll } from '../src/core/units.ts'
import type { SimCluster } from '../src/sim/cluster.ts'

export type PodView = {
  readonly pod: Pod
  readonly isRunning: boolean
  /** Of the spec, in millicores; a limit only where every container has one. */
  readonly request: number
  readonly limit: number | undefined
  /** Of its own PodAllocation. */
  readonly allocation: PodAllocation | undefined
  readonly desired: { readonly request: number; readonly limit: number | undefined } | undefined
  readonly containers: readonly ContainerView[]
  /** Of the containers together, in millicores; undefined where some have none. */
  readonly quota: number | undefined
  readonly burst: number
  /** Of the pod's own group. */
  readonly group: { readonly quota: number | undefined; readonly burst: number } | undefined
  /** The weight of the pod's own group, in cpu.shares; NaN while it has none. */
  readonly shares: number
  /** CPU time of all its containers so far, in seconds. */
  readonly usedSeconds: number
  readonly restarts: number
}

type ContainerView = {
  readonly name: string
  readonly quota: number | undefined
  readonly burst: number
  /** What the kubelet says that it has set. */
  readonly actuated: number | undefined
}

/** Pods that are bound to the node, by name. */
export function lookAt(cluster: SimCluster): ReadonlyMap<string, PodView> {
  const list = <T extends KubeObject>(of: Resource<T>): readonly T[] =>
    cluster.api.list(of) as unknown as readonly T[]
  const allocations = new Map(list(podAllocations).map((one) => [one.spec.podUID, one]))
  return new Map(
    list(pods)
      .filter(({ spec }) => spec.nodeName !== undefined)
      .map((pod) => [
        pod.metadata.name ?? '',
        viewOf(pod, { cluster, allocation: allocations.get(pod.metadata.uid ?? '') }),
      ]),
  )
}

type Around = { readonly cluster: SimCluster; readonly allocation: PodAllocation | undefined }

function viewOf(pod: Pod, { cluster, allocation }: Around): PodView {
  const { spec, status, metadata } = pod
  const lasting = lastingIn(spec)
  const statuses = statusesIn(status)
  const cpuOf = (id: string) => settingsIn(cluster, id)
  const containers = lasting.map(({ name }): ContainerView => {
    const found = statuses.find((one) => one.name === name)
    const { quota, burst = 0 } = cpuOf(idOf(found)) ?? {}
    return { name, quota, burst, actuated: cpuIn(found?.resources?.limits) }
  })
  const desired = allocation && {
    request: millicoresIn(allocation.spec.desiredCPURequest ?? 0),
    limit: optionally(allocation.spec.desiredCPULimit, millicoresIn),
  }
  return {
    pod,
    isRunning: status?.phase === 'Running' && metadata.deletionTimestamp === undefined,
    request: sumOfAll(lasting.map(({ resources }) => cpuIn(resources?.requests) ?? 0)) ?? 0,
    limit: sumOfAll(lasting.map(({ resources }) => cpuIn(resources?.limits))),
    allocation,
    desired,
    containers,
    quota: sumOfAll(containers.map(({ quota }) => quota)),
    burst: containers.reduce((all, { burst }) => all + burst, 0),
    group: cpuOf(metadata.uid ?? ''),
    shares: cluster.kernels.get('node-0')?.settings(metadata.uid ?? '')?.shares ?? NaN,
    usedSeconds: (cluster.kernels.get('node-0')?.read(metadata.uid ?? '')?.usageMicros ?? 0) / 1e6,
    restarts: statuses.reduce((all, { restartCount }) => all + restartCount, 0),
  }
}

const idOf = (status: ContainerStatus | undefined): string =>
  status?.containerID?.replace(/^.*:\/\//, '') ?? ''

function settingsIn(cluster: SimCluster, id: string): PodView['group'] {
  const found = cluster.kernels.get('node-0')?.settings(id)
  if (found === undefined) return undefined
  const { quotaMicros, burstMicros, periodMicros } = found
  const milli = (micros: number): number => (micros * 1000) / periodMicros
  return { quota: optionally(quotaMicros ?? undefined, milli), burst: milli(burstMicros) }
}

const optionally = <T, U>(value: T | undefined, read: (value: T) => U): U | undefined =>
  value === undefined ? undefined : read(value)

export type Published = {
  readonly pod: string
  /** Of simulated time, since the cluster began. */
  readonly atSeconds: number
  readonly urgency: string
  readonly request: number
  readonly limit: number | undefined
  readonly reason: string
}

/** Every change of an allocation's spec from now on. */
export function followPublications({ api, agenda }: SimCluster): readonly Published[] {
  const found: Published[] = []
  api.subscribe(podAllocations, ({ object, old, type }) => {
    if (type === 'DELETED' || object.metadata.generation === old?.metadata.generation) return
    const { spec } = object as unknown as PodAllocation
    found.push({
      pod: object.metadata.name,
      atSeconds: agenda.now() / 1000,
      urgency: spec.urgency ?? '',
      request: millicoresIn(spec.desiredCPURequest ?? 0),
      limit: optionally(spec.desiredCPULimit, millicoresIn),
      reason: spec.decision?.reason ?? '',
    })
  })
  return found
}
