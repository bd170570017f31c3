import type { CpuReading } from '../core/demand/reading.ts'

/** Enough to find a container's cgroup, whatever driver and runtime made it. */
export type ContainerPlace = {
  readonly podUid: string
  readonly qosClass: 'Guaranteed' | 'Burstable' | 'BestEffort'
  /** As in the pod's status, such as containerd://0a1b. */
  readonly containerId: string
}

/** What the kernel says about containers; reads are synchronous, since they only copy memory. */
export type CgroupReader = {
  /** What is read and where, in words for an operator. */
  readonly where: string
  /** Undefined when the container has no cgroup: not yet, or no longer. */
  readonly read: (container: ContainerPlace) => CpuReading | undefined
  /** Lets go of what is kept open for a container. */
  readonly forget: (container: ContainerPlace) => void
  readonly close: () => void
}
