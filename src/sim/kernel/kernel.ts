import type { Load } from '../../apis/load.ts'
/** What a simulated kubelet and whoever senses a node need of the model of one node's kernel. */
import type * as core from '../../core/cgroup/plan-writes.ts'
import type { CpuReading } from '../../core/demand/reading.ts'
import type { MachineUsage } from '../../ports/cgroup.ts'

/** Every simulated kernel has CPU burst. */
export type CpuSettings = Required<core.CpuSettings>

export type NewContainer = {
  readonly id: string
  readonly podUid: string
  readonly cpu: CpuSettings
  readonly load: Load
  /** Within which its requests are to be answered, if somebody said so. */
  readonly targetMillis?: number
  /** Called at the simulated moment at which a load that has an end (batch) is done. */
  readonly onDone?: () => void
}

/** How long requests took, since the container started; only request/response loads have it. */
export type LatencyCounters = {
  readonly requests: number
  /** Turned away because too many waited. */
  readonly refused?: number
  /** Answered after the target, and refused; only of a container that has a target. */
  readonly late?: number
  /** Answers by `latencyBucketOf`. It goes on counting: who compares takes a copy. */
  readonly fine: ArrayLike<number>
  /** Answered within `upToMillis`; cumulative, ascending, the last is Infinity. */
  readonly buckets: readonly { readonly upToMillis: number; readonly count: number }[]
}

/** The group above those of a pod's containers. */
export type NewPodGroup = { readonly podUid: string; readonly cpu: CpuSettings }

/** Groups are those of containers, by their ID, and those of pods, by their UID. */
export type NodeKernel = {
  readonly add: (container: NewContainer) => void
  /** Before its containers. Those of a pod without a group are bounded by nothing together. */
  readonly addPod: (pod: NewPodGroup) => void
  /** Takes effect at once; counters go on. Throws `InvalidInput` where a kernel answers EINVAL. */
  readonly set: (id: string, cpu: CpuSettings) => void
  /** From now on a container does this; counters go on, and so do requests that wait. */
  readonly setLoad: (id: string, load: Load) => void
  readonly settings: (id: string) => CpuSettings | undefined
  /** Of one that is there; another when it is added anew. */
  readonly identity: (id: string) => string | undefined
  /** A pod's after those of its containers. */
  readonly remove: (id: string) => void
  /** As of now. Undefined when there is no such group. */
  readonly read: (id: string) => SimulatedReading | undefined
  /** Of a container. */
  readonly latency: (id: string) => LatencyCounters | undefined
  /** Of a container: the CPU time that its load has asked for so far, whatever it got. */
  readonly demandedMicros: (id: string) => number | undefined
  /**
   * Of a container or a pod: for how long it could have run but had no CPU, in CPU time
   * (waiting.ts). Waiting for quota does not count.
   */
  readonly waitedMicros: (id: string) => number | undefined
  /** CPU time of all containers so far. */
  readonly usedMicros: () => number
  /** The same, and the moment. */
  readonly machine: () => MachineUsage
}

export type SimulatedReading = CpuReading &
  Required<Pick<CpuReading, 'burstPeriods' | 'burstMicros' | 'burstLimitMicros'>>
