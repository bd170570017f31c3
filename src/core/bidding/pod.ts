/** A pod of one node as the market sees it; all that Kubernetes says besides is left behind. */
import type { Enforcement } from '../enforcement/enforcements.ts'
import type { Millicores, Millis } from '../units.ts'

export type NodePod = {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** Why only its name is known. */
  readonly unread?: string | undefined
  readonly phase: 'pending' | 'running' | 'terminating' | 'finished'
  readonly qosClass: 'Guaranteed' | 'Burstable' | 'BestEffort'
  readonly priority: number
  /** When its kubelet took it, by the wall clock. */
  readonly cameAt?: Millis | undefined
  /** Run by the kubelet from a file: the API cannot resize it. */
  readonly isStatic: boolean
  /** Has resources of the pod as a whole. */
  readonly hasPodResources: boolean
  /** Of the pod as a whole, where that is set. */
  readonly podRequest?: Millicores | undefined
  /** Guaranteed, on a node with the static CPU policy: its kubelet resizes none of those. */
  readonly isFixed?: boolean | undefined
  readonly wishes: PodWishes
  /** Of its namespace, by an administrator: what its share is multiplied by; 1 if not told. */
  readonly shareFactor?: number | undefined
  /** Of its namespace, by an administrator: floors up to this count beyond what was requested. */
  readonly maxMinCpu?: Millicores | undefined
  /** Which words of its owner do not count as written, and why. */
  readonly notes?: readonly string[] | undefined
  readonly containers: readonly PodContainer[]
  readonly range?: CpuRange | undefined
  /** How its share is enforced; undefined: as is usual on the node. */
  readonly enforcement?: Enforcement | undefined
  /** Where it has a latency target: what keeps its bursts from waiting, which it bids for. */
  readonly readyCores?: number | undefined
  /** What it uses on average, with head-room: no more is promised. Its need, if not told. */
  readonly usual?: Millicores | undefined
  /** It has a latency target, and what it requested was not enough to keep it. */
  readonly isShort?: boolean | undefined
  /** While its kubelet carries out no more (resize-bound.ts). */
  readonly bound?: ResizeBound | undefined
}

/** Of its containers together; where not all have a limit, the limit is the request. */
export type PodAmounts = { readonly request: Millicores; readonly limit: Millicores }

/** The most that may be asked for, and why in words. */
export type ResizeBound = PodAmounts & { readonly reason: string }

/** What the LimitRanges of a namespace let a pod have. */
export type CpuRange = {
  /** The most, of the pod and of each container. */
  readonly pod?: Millicores | undefined
  readonly container?: Millicores | undefined
  /** The least that each container may be promised. */
  readonly least?: Millicores | undefined
  /** The most that a limit may be of its request, from 1 on. */
  readonly limitRatio?: number | undefined
}

/** What the pod's owner, or that of its namespace, asks of the market. */
export type PodWishes = {
  readonly isOptedOut: boolean
  /** By its mode. */
  readonly isOff?: boolean | undefined
  /** Why the settings of the whole cluster leave it out, in words; undefined where they do not. */
  readonly outside?: string | undefined
  readonly minCpu: Millicores | undefined
  readonly maxCpu: Millicores | undefined
  /** From 0.1 to 10, within the share of its namespace. */
  readonly priorityMultiplier: number
  /** Of a Guaranteed pod: it takes part. */
  readonly managesGuaranteed?: boolean | undefined
  /** Pods of a namespace that name the same one bid as one. */
  readonly coalition?: string | undefined
}

/** Of one that runs for the life of the pod, which a sidecar (a restartable init container) does. */
export type PodContainer = {
  readonly name: string
  /** By its resize policy for CPU. */
  readonly restartsOnResize: boolean
  readonly request: Millicores | undefined
  readonly limit: Millicores | undefined
  /** What it was created with, where known: `request` may be what we made of it. */
  readonly firstRequest?: Millicores | undefined
  readonly firstLimit?: Millicores | undefined
  /** How many CPUs it has for itself alone, by the kubelet's static CPU policy. */
  readonly exclusiveCpus?: number | undefined
  /** Undefined until measured. */
  readonly usageCores: number | undefined
  readonly demandCores: number | undefined
}

/** Up: half a millicore wanted is a millicore needed. The slack hides that 0.3 x 1000 is no whole number. */
export const millicoresUp = (cores: number): Millicores =>
  Math.max(0, Math.ceil(cores * 1000 - 1e-6)) as Millicores
