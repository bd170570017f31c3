/** The pods that are on nodes, as rivals and the observer need them; kept by changes of pods. */
import { settings } from '../../apis/names.ts'
import { type Container, type ContainerStatus, cpuIn, type Pod } from '../../apis/pod.ts'
import type { ContainerPlace, PodPlace } from '../../ports/cgroup.ts'

export type StagedPod = {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** Of pods that are alike: their Deployment, their Job, or the pod itself. */
  readonly workload: string
  readonly node: string
  readonly place: PodPlace
  readonly targetMillis: number | undefined
  /** Its owner's word on how much it counts; 1 unless told. */
  readonly weight: number
  /** Milliseconds since 1970; undefined until its kubelet has seen it. */
  readonly startedAt: number | undefined
  readonly isLeaving: boolean
  readonly isWaitingForResize: boolean
  /** Those that last: the main ones, then sidecars; running or not. */
  readonly containers: readonly StagedContainer[]
  readonly restarts: number
}

export type StagedContainer = {
  readonly name: string
  readonly isSidecar: boolean
  /** Undefined while it does not run. */
  readonly place: ContainerPlace | undefined
  readonly requestMilli: number | undefined
  readonly limitMilli: number | undefined
}

/** One that no node has taken. */
export type PendingPod = Pick<StagedPod, 'uid' | 'workload' | 'targetMillis'>

export type Roster = {
  readonly note: (pod: Pod, isGone: boolean) => void
  readonly pending: () => Iterable<PendingPod>
  /** In the order in which they came. */
  readonly all: () => Iterable<StagedPod>
  readonly on: (node: string) => readonly StagedPod[]
}

export function createRoster(): Roster {
  const known = new Map<string, StagedPod>()
  const pending = new Map<string, PendingPod>()
  return {
    note(pod, isGone) {
      const { uid = '', deletionTimestamp } = pod.metadata
      const staged = isGone ? undefined : stagedPod(pod)
      if (staged === undefined) known.delete(uid)
      else known.set(uid, staged)
      const isPending = pod.spec.nodeName === undefined && deletionTimestamp === undefined
      if (isGone || !isPending) pending.delete(uid)
      else pending.set(uid, { uid, workload: workloadOf(pod), targetMillis: targetOf(pod) })
    },
    pending: () => pending.values(),
    all: () => known.values(),
    on: (node) => [...known.values()].filter((pod) => pod.node === node),
  }
}

/** Undefined for one that is on no node yet, or has ended. */
export function stagedPod({ metadata, spec, status = {} }: Pod): StagedPod | undefined {
  const { uid = '', namespace = '', name = '', annotations = {} } = metadata
  const { phase, qosClass = 'Burstable', startTime, conditions = [] } = status
  if (spec.nodeName === undefined || phase === 'Succeeded' || phase === 'Failed') return undefined
  const place: PodPlace = { podUid: uid, qosClass }
  const sidecars = (spec.initContainers ?? []).filter(isSidecar)
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])]
  return {
    uid,
    namespace,
    name,
    workload: workloadOf({ metadata }),
    node: spec.nodeName,
    place,
    targetMillis: targetOf({ metadata }),
    weight: Number(annotations[settings.priorityMultiplier] ?? 1),
    startedAt: startTime === undefined ? undefined : Date.parse(startTime),
    isLeaving: metadata.deletionTimestamp !== undefined,
    isWaitingForResize: conditions.some(({ type }) => type === 'PodResizePending'),
    containers: [...spec.containers, ...sidecars].map((container) =>
      stagedContainer(container, {
        place,
        status: statuses.find((one) => one.name === container.name),
      }),
    ),
    restarts: statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
  }
}

function targetOf({ metadata }: Pick<Pod, 'metadata'>): number | undefined {
  const target = Number(metadata.annotations?.[settings.targetLatencyMs])
  return target > 0 ? target : undefined
}

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always'

function stagedContainer(
  container: Container,
  { place, status }: { readonly place: PodPlace; readonly status: ContainerStatus | undefined },
): StagedContainer {
  const { containerID: containerId = '', state } = status ?? {}
  const isRunning = containerId !== '' && state?.running !== undefined
  const { name, resources } = container
  return {
    name,
    isSidecar: isSidecar(container),
    place: isRunning ? { ...place, containerId } : undefined,
    requestMilli: cpuIn(resources?.requests),
    limitMilli: cpuIn(resources?.limits),
  }
}

/** A ReplicaSet is called as its Deployment and a hash. */
function workloadOf({ metadata }: Pick<Pod, 'metadata'>): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  const name = owner?.name ?? metadata.name ?? ''
  const own = owner?.kind === 'ReplicaSet' ? name.replace(/-[^-]+$/, '') : name
  return metadata.namespace === 'default' ? own : `${metadata.namespace}/${own}`
}
