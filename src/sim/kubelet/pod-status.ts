/** What a kubelet says of a pod, as Kubernetes 1.36.3 was seen to say it. */
import type { SimPod, SimPodCondition, SimPodSpec, SimPodStatus } from '../nodes/pod.ts'
import { allContainers, type Allocation, resourcesOf } from './allocation.ts'
import { containerStatus, exitCodeOf, type ContainerRun } from './container-run.ts'

type ResizeCondition = {
  readonly reason?: 'Deferred' | 'Infeasible' | 'Error'
  readonly message?: string
  readonly observedGeneration: number
  readonly since: string
}

/** All that the kubelet knows of a pod that it has admitted. */
export type PodView = {
  readonly runs: readonly ContainerRun[]
  readonly hasSandbox: boolean
  readonly startTime: string
  readonly hostIP: string
  readonly podIP: string | undefined
  readonly allocated: Allocation
  readonly actuated: Allocation
  readonly pending: ResizeCondition | undefined
  readonly inProgress: ResizeCondition | undefined
  /** Why the kubelet ends the pod, if it does. */
  readonly failure: { readonly reason: string; readonly message: string } | undefined
  /** Once all has stopped for good. */
  readonly ended: 'Succeeded' | 'Failed' | undefined
}

const ours = new Set([
  'PodResizePending',
  'PodResizeInProgress',
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
])

export function podStatus(pod: SimPod, view: PodView, now: string): SimPodStatus {
  const { status: old = {}, spec } = pod
  const { runs, allocated, actuated, podIP, hostIP, ended, failure, startTime } = view
  const statuses = statusesOf(spec, view)
  const inits = runs.filter(({ kind }) => kind !== 'main').length
  const { requests } = allocated.whole
  return {
    ...(requests && { allocatedResources: requests }),
    conditions: podConditions(pod, view, now),
    containerStatuses: statuses.slice(inits),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(inits > 0 && { initContainerStatuses: statuses.slice(0, inits) }),
    ...(ended !== undefined && failure),
    ...(pod.metadata.generation !== undefined && { observedGeneration: pod.metadata.generation }),
    phase: phaseOf(view),
    ...(podIP !== undefined && { podIP, podIPs: [{ ip: podIP }] }),
    ...(old.qosClass && { qosClass: old.qosClass }),
    resources: actuated.whole,
    startTime,
  }
}

const statusesOf = (spec: SimPodSpec, { runs, allocated }: PodView) =>
  allContainers(spec).flatMap((container, index) => {
    const run = runs[index]
    const set = resourcesOf(allocated.spec, container.name)?.requests
    return run === undefined ? [] : [containerStatus(run, container, set)]
  })

function phaseOf({ runs, ended }: PodView): NonNullable<SimPodStatus['phase']> {
  if (ended !== undefined) return ended
  const isStarted = runs.every(({ kind, id }) => kind !== 'main' || id !== '')
  return isStarted ? 'Running' : 'Pending'
}

type Said = Omit<SimPodCondition, 'lastTransitionTime' | 'lastProbeTime' | 'observedGeneration'>

function podConditions(pod: SimPod, view: PodView, now: string): readonly SimPodCondition[] {
  const old = pod.status?.conditions ?? []
  const { generation } = pod.metadata
  const dated = (said: Said): SimPodCondition => {
    const before = old.find(({ type }) => type === said.type)
    const lastTransitionTime =
      before?.status === said.status ? (before.lastTransitionTime ?? now) : now
    return {
      lastProbeTime: null,
      lastTransitionTime,
      ...(generation !== undefined && { observedGeneration: generation }),
      ...said,
    }
  }
  const ready = readinessOf(view)
  return [
    ...old.filter(({ type }) => !ours.has(type)),
    ...resizeCondition('PodResizePending', view.pending),
    ...resizeCondition('PodResizeInProgress', view.inProgress),
    dated({ type: 'PodReadyToStartContainers', status: view.hasSandbox ? 'True' : 'False' }),
    dated({ type: 'Initialized', ...initializationOf(view) }),
    dated({ type: 'Ready', ...ready }),
    dated({ type: 'ContainersReady', ...ready }),
    dated({ type: 'PodScheduled', status: 'True' }),
  ]
}

function resizeCondition(
  type: string,
  condition: ResizeCondition | undefined,
): readonly SimPodCondition[] {
  if (condition === undefined) return []
  const { since, ...rest } = condition
  return [{ type, status: 'True', lastProbeTime: since, lastTransitionTime: since, ...rest }]
}

function initializationOf({ runs, ended }: PodView): Omit<Said, 'type'> {
  const isPast = runs.some(({ kind, id }) => kind === 'main' && id !== '')
  const open = runs.filter(
    (run) =>
      (run.kind === 'init' && exitCodeOf(run) !== 0) || (run.kind === 'sidecar' && !run.isStarted),
  )
  if (isPast || open.length === 0) {
    return { status: 'True', ...(ended === 'Succeeded' && { reason: 'PodCompleted' }) }
  }
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${open.map(({ name }) => name).join(' ')}]`,
  }
}

function readinessOf({ runs, ended, failure }: PodView): Omit<Said, 'type'> {
  if (ended === 'Succeeded') return { status: 'False', reason: 'PodCompleted' }
  if (ended === 'Failed' || failure) return { status: 'False', reason: 'PodFailed' }
  const unready = runs.filter(({ kind, isReady }) => kind !== 'init' && !isReady)
  if (unready.length === 0) return { status: 'True' }
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.map(({ name }) => name).join(' ')}]`,
  }
}

/** Of a pod that the node refuses; nothing else is left of its status. */
export const rejectedStatus = (
  { metadata: { generation }, status }: SimPod,
  why: { readonly reason: string; readonly message: string },
  now: string,
): SimPodStatus => ({
  message: `Pod was rejected: ${why.message}`,
  ...(generation !== undefined && { observedGeneration: generation }),
  phase: 'Failed',
  ...(status?.qosClass && { qosClass: status.qosClass }),
  reason: why.reason,
  startTime: now,
})
