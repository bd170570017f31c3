/**
 * What to do about one pod whose CPU should be another: nothing, resize, wait, or refuse, with the
 * reason. What counts is what the kubelet has actuated, not what the spec says.
 *
 *   desired = actuated                       ->  done
 *   desired = spec, but not yet actuated     ->  wait: in progress, deferred or infeasible, in its words
 *   otherwise                                ->  resize
 *   a container would be restarted for it    ->  refuse
 */
import type { Millicores } from '../units.ts'

/** CPU of one container; what is not set is undefined. */
export type ContainerCpu = {
  readonly name: string
  readonly request: Millicores | undefined
  readonly limit: Millicores | undefined
}

export type PodCpu = {
  readonly phase: string
  readonly qosClass: string | undefined
  readonly spec: readonly ContainerCpu[]
  /** Empty until the kubelet tells. */
  readonly actuated: readonly ContainerCpu[]
  /** Containers whose resize policy for CPU asks for a restart. */
  readonly restarting: readonly string[]
  /** What the kubelet says of a resize that it has not finished. */
  readonly pending: { readonly reason: string; readonly message: string } | undefined
}

export type ResizeReason =
  | 'Applied'
  | 'InProgress'
  | 'Deferred'
  | 'Infeasible'
  | 'PodNotRunning'
  | 'GuaranteedQoS'
  | 'RestartRequired'
  | 'UnknownContainer'
  | 'Resizing'

export type ResizePlan = {
  readonly action: 'done' | 'resize' | 'wait' | 'refuse'
  readonly reason: ResizeReason
  readonly message: string
}

/** The kubelet's least: below a limit of 10m or 2 shares nothing changes in the kernel. */
const least = { limit: 10, request: 2 }

export function planResize(pod: PodCpu, desired: readonly ContainerCpu[]): ResizePlan {
  const refusal = refuse(pod, desired)
  if (refusal !== undefined) return refusal
  if (desired.every((wanted) => isMet(wanted, pod.actuated))) {
    return { action: 'done', reason: 'Applied', message: `has ${describe(desired)}` }
  }
  if (desired.every((wanted) => isMet(wanted, pod.spec))) return waitFor(pod, desired)
  return { action: 'resize', reason: 'Resizing', message: `gets ${describe(desired)}` }
}

function refuse(pod: PodCpu, desired: readonly ContainerCpu[]): ResizePlan | undefined {
  const no = (reason: ResizeReason, message: string): ResizePlan => ({
    action: 'refuse',
    reason,
    message,
  })
  if (pod.phase !== 'Running') return no('PodNotRunning', `the pod is ${pod.phase}, not Running`)
  if (pod.qosClass === 'Guaranteed') {
    return no('GuaranteedQoS', 'the pod is Guaranteed: its request and limit stay as they are')
  }
  for (const { name } of desired) {
    if (!pod.spec.some((container) => container.name === name)) {
      const known = pod.spec.map((container) => container.name).join(', ')
      return no('UnknownContainer', `the pod has no container "${name}", but ${known}`)
    }
  }
  const restarted = desired.find(({ name }) => pod.restarting.includes(name))
  if (restarted === undefined) return undefined
  const policy = 'its resizePolicy for cpu is RestartContainer'
  return no('RestartRequired', `container "${restarted.name}" would be restarted: ${policy}`)
}

function waitFor({ pending }: PodCpu, desired: readonly ContainerCpu[]): ResizePlan {
  const said = pending?.message ? `: ${pending.message}` : ''
  const asked = describe(desired)
  if (pending?.reason === 'Deferred') {
    return {
      action: 'wait',
      reason: 'Deferred',
      message: `the node has no room yet for ${asked}${said}`,
    }
  }
  if (pending?.reason === 'Infeasible') {
    return {
      action: 'wait',
      reason: 'Infeasible',
      message: `the node can never give ${asked}${said}`,
    }
  }
  return {
    action: 'wait',
    reason: 'InProgress',
    message: `the kubelet is at work on ${asked}${said}`,
  }
}

/** What is not asked for is met; below the kernel's least all amounts are the same. */
function isMet(wanted: ContainerCpu, among: readonly ContainerCpu[]): boolean {
  const has = among.find(({ name }) => name === wanted.name)
  if (has === undefined) return false
  return (
    same(wanted.request, has.request, least.request) && same(wanted.limit, has.limit, least.limit)
  )
}

const same = (wanted: number | undefined, has: number | undefined, minimum: number): boolean =>
  wanted === undefined ||
  (has !== undefined && Math.max(wanted, minimum) === Math.max(has, minimum))

const describe = (containers: readonly ContainerCpu[]): string =>
  containers
    .map(({ name, request, limit }) => `${name}: request ${show(request)}, limit ${show(limit)}`)
    .join('; ')

const show = (amount: Millicores | undefined): string =>
  amount === undefined ? 'as it is' : `${amount}m`
