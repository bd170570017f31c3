import type { CpuSettings } from '../core/cgroup/plan-writes.ts'
import type { Change, Write, Written } from '../core/cgroup/write-changes.ts'
import type { MemoryByNode } from '../core/cpu/misalignment/misalignment.ts'
import type { CpuReading } from '../core/demand/reading.ts'

export type { CpuSettings, Written }

/** Enough to find a pod's cgroup, whatever driver made it. */
export type PodPlace = {
  readonly podUid: string
  readonly qosClass: 'Guaranteed' | 'Burstable' | 'BestEffort'
}

/** Enough to find a container's cgroup, whatever driver and runtime made it. */
export type ContainerPlace = PodPlace & {
  /** As in the pod's status, such as containerd://0a1b. */
  readonly containerId: string
}

/** A group of a machine without Kubernetes, below the cpu hierarchy (v1) or the unified one (v2). */
export type GroupPlace = { readonly path: string }

/** Through which of them a kubelet makes the groups of its pods. */
export type CgroupDriver = 'cgroupfs' | 'systemd'

export type CgroupPlace = ContainerPlace | PodPlace | GroupPlace

/** What an operator knows a group by; no two share it. */
export function nameOfPlace(place: CgroupPlace): string {
  if ('path' in place) return place.path
  return 'containerId' in place ? place.containerId : `pod ${place.podUid}`
}

export type MachineUsage = { readonly atMicros: number; readonly usageMicros: number }

export type Quota = Pick<CpuReading, 'quotaMicros' | 'periodMicros'>

/** What the kernel says about groups; reads are synchronous, since they only copy memory. */
export type CgroupReader<Place = ContainerPlace> = {
  /** What is read and where, in words for an operator. */
  readonly where: string
  /**
   * Undefined when there is no such cgroup: not yet, or no longer. One that was made anew since the
   * last read gives undefined once: its counters have nothing to do with those before.
   */
  readonly read: (place: Place) => CpuReading | undefined
  /**
   * Microseconds for which tasks of the group could have run but waited for a CPU. It never falls
   * as tasks come and go; it may start at any value, and starts again once the group was made anew
   * or forgotten: compare two calls. Undefined where the kernel does not report it. Waiting for
   * quota counts too: the caller subtracts the throttled time.
   *
   * It is summed over tasks: n tasks that wait for a second add n seconds. Throttled time counts
   * CPUs, so with more tasks than CPUs some waiting for quota remains.
   *
   *   v2   PSI, wall time in which at least one task waited; run delay where that shows waiting
   *   v1   run delay
   */
  readonly waiting?: (place: Place) => number | undefined
  /** CPU time used by the whole machine, by the same clock as readings. */
  readonly machine?: () => MachineUsage | undefined
  /**
   * The weight in force of a group, in units of cpu.shares whatever the version, read afresh at
   * each call. A group that runs only when nothing else does (cpu.idle) shows 0 on v2, 3 on v1.
   * Undefined when there is no such group.
   */
  readonly weightOf?: (place: CgroupPlace) => number | undefined
  /** What the least weight comes to, in the same units; that of v1 unless told. */
  readonly leastShares?: number
  /**
   * The quota of a group. What others wrote may show about a second late, what the writer wrote shows at
   * once: to ask at every sample costs next to nothing. Undefined when there is no such group.
   */
  readonly quotaOf?: (place: CgroupPlace) => Quota | undefined
  /** On which NUMA nodes its memory is; undefined where the kernel does not tell. */
  readonly numaMemory?: (place: Place) => MemoryByNode | undefined
  /** What made the groups of pods, by the shape of their paths; undefined until one was found. */
  readonly driver?: () => CgroupDriver | undefined
  /** What is missing when there is no such cgroup, with the remedy. */
  readonly whyNone?: (place: Place) => string | undefined
  /** Lets go of what is kept open for it, also by `weightOf` and `quotaOf`. */
  readonly forget: (place: CgroupPlace) => void
  readonly close: () => void
}

/** What is not named stays as it is, but a burst never above the quota. */
export type CpuChange = Change<CgroupPlace>

export type CgroupWriter = {
  /** What stands there now. Undefined when there is no such cgroup. */
  readonly settings: (place: CgroupPlace) => CpuSettings | undefined
  /** Undefined when it can be written, else why not, with the remedy. */
  readonly whyUnwritable: (place: CgroupPlace) => string | undefined
  /** The same where it is the mount or our rights that forbid it, as for every other group. */
  readonly whyReadOnly: (place: CgroupPlace) => string | undefined
  /**
   * Changes pods and containers together, in an order that the kernel accepts at every step, and
   * writes only what differs: any write, even of the same value, refills the group's bucket.
   */
  readonly write: Write<CgroupPlace>
  /** Stays when the group is renamed; one made anew has another. Undefined when there is no such cgroup. */
  readonly identityOf: (place: CgroupPlace) => string | undefined
  /** Where the group is now, wherever it was; undefined when there is none any longer. */
  readonly pathOf: (identity: string) => string | undefined
}
