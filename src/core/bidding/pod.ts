/** A pod of one node as the market sees it; all that Kubernetes says besides is left behind. */
import type { Millicores } from '../units.ts'

export type NodePod = {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly phase: 'pending' | 'running' | 'terminating' | 'finished'
  readonly qosClass: 'Guaranteed' | 'Burstable' | 'BestEffort'
  readonly priority: number
  /** Run by the kubelet from a file: the API cannot resize it. */
  readonly isStatic: boolean
  /** Has resources of the pod as a whole. */
  readonly hasPodResources: boolean
  readonly wishes: PodWishes
  readonly containers: readonly PodContainer[]
}

/** What the pod's owner asks for by annotation. */
export type PodWishes = {
  readonly isOptedOut: boolean
  readonly minCpu: Millicores | undefined
  readonly maxCpu: Millicores | undefined
  readonly priorityMultiplier: number
}

/** Of one that runs for the life of the pod, which a sidecar (a restartable init container) does. */
export type PodContainer = {
  readonly name: string
  /** By its resize policy for CPU. */
  readonly restartsOnResize: boolean
  readonly request: Millicores | undefined
  readonly limit: Millicores | undefined
  /** Undefined until measured. */
  readonly usageCores: number | undefined
  readonly demandCores: number | undefined
}

/** Up: half a millicore wanted is a millicore needed. The slack hides that 0.3 x 1000 is no whole number. */
export const millicoresUp = (cores: number): Millicores =>
  Math.max(0, Math.ceil(cores * 1000 - 1e-6)) as Millicores
