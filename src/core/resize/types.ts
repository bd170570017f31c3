/** What is known when it is decided whether a pod is resized, and what the decision says. */
import type { Millicores, Millis } from '../units.ts'

/** CPU of one container; what is not set is undefined. */
export type ContainerCpu = {
  readonly name: string
  readonly request: Millicores | undefined
  readonly limit: Millicores | undefined
}

export const cpuFields = ['request', 'limit'] as const
export type CpuField = (typeof cpuFields)[number]

export type PodCpu = {
  readonly phase: string
  readonly qosClass: 'Guaranteed' | 'Burstable' | 'BestEffort' | undefined
  readonly isTerminating: boolean
  readonly spec: readonly ContainerCpu[]
  /** What the kubelet has set in the kernel; empty until it tells. */
  readonly actuated: readonly ContainerCpu[]
  /** What the node has set aside: requests only. */
  readonly allocated: readonly ContainerCpu[]
  /** Containers whose resize policy for CPU asks for a restart. */
  readonly restarting: readonly string[]
  /** Resources of the pod as a whole are set: the sum of its containers is not ours to choose. */
  readonly hasPodResources: boolean
  /** Set by the kubelet's CPU manager: CPUs that nobody else may use. */
  readonly hasExclusiveCpus: boolean
  /** What the kubelet says of a resize that it has not finished. */
  readonly pending: KubeletWord | undefined
  /** All but the CPU of these containers is as a Guaranteed pod has it; unknown counts as true. */
  readonly memoryIsGuaranteed?: boolean | undefined
}

export type KubeletWord = {
  readonly state: 'Deferred' | 'Infeasible' | 'InProgress' | 'Error'
  readonly message: string
  readonly since: Millis | undefined
}

/** A bound of a LimitRange on one container or on the sum over a pod. */
export type CpuBound = {
  readonly limitRange: string
  readonly of: 'Container' | 'Pod'
  readonly min: Millicores | undefined
  readonly max: Millicores | undefined
  /** The most that a limit may be of its request. */
  readonly maxRatio: number | undefined
  /** What it writes into containers that lack it, on a resize as well as when they are made. */
  readonly defaults?: readonly CpuField[]
}

/** What a ResourceQuota leaves over. */
export type QuotaRoom = {
  readonly quota: string
  readonly of: CpuField
  readonly hard: Millicores
  readonly used: Millicores
}

export type NodeRoom = {
  readonly name: string
  readonly allocatable: Millicores
  /** Requests of the other pods there: the most of spec, set aside and actuated of each. */
  readonly others: Millicores
  /** The grid on which the kernel keeps limits: the systemd driver knows steps of 10m only. */
  readonly limitStep: Millicores
}

export type ResizeRules = {
  readonly cooldownMillis: Millis
  /** A resize multiplies or divides by no more than this. */
  readonly stepFactor: number
}

export type ResizeQuestion = {
  /** Undefined: there is none of this name. */
  readonly pod: PodCpu | undefined
  /** It has the name, but not the UID. */
  readonly isOtherPod: boolean
  /** Why MBCAS leaves it alone, in words: opted out, system namespace, mirror pod, off. */
  readonly excluded: string | undefined
  readonly mode: 'recommend' | 'auto'
  /** A Guaranteed pod that opted in: request and limit stay equal. */
  readonly managesGuaranteed: boolean
  /** A HorizontalPodAutoscaler counts CPU use relative to the request, which therefore stays. */
  readonly horizontalAutoscaler: string | undefined
  /** A VerticalPodAutoscaler acts on the pod. */
  readonly verticalAutoscaler: string | undefined
  /** Only the containers that should change, and of those only what should. */
  readonly desired: readonly ContainerCpu[]
  readonly urgency: 'normal' | 'guardrail'
  readonly bounds: readonly CpuBound[]
  readonly quotas: readonly QuotaRoom[]
  /** Undefined: the pod's node is not known. */
  readonly node: NodeRoom | undefined
  /** Since the last resize of this pod. */
  readonly sinceResizeMillis: Millis | undefined
  /** What Kubernetes said could never be, under circumstances that have not changed. */
  readonly infeasible: readonly ContainerCpu[] | undefined
  /** In which words it said so. */
  readonly refusal?: { readonly reason: ResizeReason; readonly message: string } | undefined
  readonly rules: ResizeRules
}

export const resizeReasons = [
  'Applied',
  'Recommended',
  'Restored',
  'Resizing',
  'StepClamped',
  'Restoring',
  'InProgress',
  'ActuationError',
  'Deferred',
  'Infeasible',
  'Cooldown',
  'NodeHeadroom',
  'NodeCapacity',
  'PodNotFound',
  'OtherPod',
  'PodNotRunning',
  'UnknownContainer',
  'Excluded',
  'GuaranteedQoS',
  'ExclusiveCPUs',
  'RestartRequired',
  'PodLevelResources',
  'QoSClassChange',
  'LimitRange',
  'ResourceQuota',
  'VerticalPodAutoscaler',
  'ServerTooOld',
  'AgentSilent',
  'Unsupported',
  'Forbidden',
  'Invalid',
] as const

export type ResizeReason = (typeof resizeReasons)[number]

/**
 * done: nothing to do, it has it. wait: Kubernetes or a rule of ours keeps it for now. resize: ask for
 * `to`. refuse: it stays as it is until something changes. recommend: nobody is to act on it.
 */
export type ResizeDecision = {
  readonly action: 'done' | 'wait' | 'resize' | 'refuse' | 'recommend'
  readonly reason: ResizeReason
  readonly message: string
  /** With `resize`: every container that changes, on the kernel's grid. */
  readonly to: readonly ContainerCpu[]
  /** Look again after this long, although nothing is heard. */
  readonly again: Millis | undefined
}
