import { fieldManagers } from '../../apis/names.ts'
import { type PodAllocation, podAllocations } from '../../apis/pod-allocation.ts'
/** One PodAllocation: look at its pod, decide, resize if need be, and say what became of it. */
import type { Pod } from '../../apis/pod.ts'
import { pods } from '../../apis/pod.ts'
import { formatMillicores } from '../../core/quantity.ts'
import { type ContainerCpu, planResize, type ResizePlan } from '../../core/resize/plan.ts'
import type { Clock } from '../../ports/clock.ts'
import { ApiError, type Kube } from '../../ports/kube.ts'
import { desiredCpu, podCpu } from './pod-view.ts'
import { nextStatus, type Outcome } from './status.ts'

/** Looks again after this long while the kubelet is at work; its answer usually comes as an event. */
const whileWaiting = 5000

export type Reconciling = {
  readonly kube: Kube
  readonly clock: Clock
  readonly allocationOf: (key: string) => PodAllocation | undefined
  readonly podOf: (key: string) => Pod | undefined
  readonly tell: (allocation: PodAllocation, outcome: Outcome) => void
  /** Milliseconds that the request took, and how it ended. */
  readonly resized: (result: string, duration: number) => void
}

export async function reconcileAllocation(
  at: Reconciling,
  key: string,
  signal: AbortSignal,
): Promise<{ requeueAfter?: number }> {
  const allocation = at.allocationOf(key)
  if (allocation === undefined || allocation.metadata.deletionTimestamp !== undefined) return {}
  const outcome = await act(at, allocation, signal)
  await writeStatus(at, allocation, outcome, signal)
  return outcome.phase === 'Pending' ? { requeueAfter: whileWaiting } : {}
}

async function act(
  at: Reconciling,
  allocation: PodAllocation,
  signal: AbortSignal,
): Promise<Outcome> {
  const { namespace = '' } = allocation.metadata
  const { podName, podUID } = allocation.spec
  const pod = at.podOf(`${namespace}/${podName}`)
  if (pod === undefined) return failed('PodNotFound', `there is no pod ${namespace}/${podName}`)
  if (podUID !== undefined && pod.metadata.uid !== podUID) {
    return failed('OtherPod', `the pod is another one of the same name: ${pod.metadata.uid ?? ''}`)
  }
  const has = podCpu(pod)
  const desired = desiredCpu(allocation, has)
  const plan = planResize(has, desired)
  if (plan.action !== 'resize') return { ...toldBy(plan), actuated: has.actuated, attempted: false }
  return resize(at, pod, { desired, plan, has: has.actuated, signal })
}

const failed = (reason: string, message: string): Outcome => ({
  phase: 'Failed',
  reason,
  message,
  actuated: [],
  attempted: false,
})

const phases = { done: 'Applied', wait: 'Pending', resize: 'Pending', refuse: 'Failed' } as const

const toldBy = ({ action, reason, message }: ResizePlan) => ({
  phase: phases[action],
  reason,
  message,
})

async function resize(
  { kube, clock, resized }: Reconciling,
  { metadata: { namespace = '', name = '' }, spec }: Pod,
  at: {
    desired: readonly ContainerCpu[]
    plan: ResizePlan
    has: readonly ContainerCpu[]
    signal: AbortSignal
  },
): Promise<Outcome> {
  const startedAt = clock.now()
  const tell = (result: string) => resized(result, clock.now() - startedAt)
  const sidecars = new Set(spec.initContainers?.map((container) => container.name))
  const [inits, others] = [true, false].map((isSidecar) =>
    at.desired.filter((container) => sidecars.has(container.name) === isSidecar).map(resourcesOf),
  )
  const body = { spec: { containers: others, ...(inits?.length && { initContainers: inits }) } }
  try {
    await kube.patch(
      pods,
      { namespace, name, subresource: 'resize' },
      { type: 'strategic', body },
      { signal: at.signal, purpose: 'write', fieldManager: fieldManagers.controller },
    )
    tell('accepted')
    return { ...toldBy(at.plan), actuated: at.has, attempted: true }
  } catch (error) {
    // What the server will not do again with the same question is an answer; the rest is tried again.
    if (!(error instanceof ApiError) || ![403, 404, 422].includes(error.code)) {
      tell('error')
      throw error
    }
    tell('refused')
    const reason = error.code === 404 ? 'PodNotFound' : error.reason
    return { phase: 'Failed', reason, message: error.said, actuated: at.has, attempted: true }
  }
}

const resourcesOf = ({ name, request, limit }: ContainerCpu) => ({
  name,
  resources: {
    ...(request !== undefined && { requests: { cpu: formatMillicores(request) } }),
    ...(limit !== undefined && { limits: { cpu: formatMillicores(limit) } }),
  },
})

async function writeStatus(
  { kube, clock, tell }: Reconciling,
  allocation: PodAllocation,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<void> {
  const status = nextStatus(allocation, outcome, clock.wall())
  if (status === undefined) return
  const { namespace = '', name = '' } = allocation.metadata
  await kube.patch(
    podAllocations,
    { namespace, name, subresource: 'status' },
    { type: 'merge', body: { status } },
    { signal, purpose: 'status', fieldManager: fieldManagers.controller },
  )
  const { phase, reason } = allocation.status ?? {}
  if (phase !== outcome.phase || reason !== outcome.reason) tell(allocation, outcome)
}
