import type { CpusetChange, CpusetGroup } from '../core/cgroup/plan-cpuset.ts'

/** On which CPUs the processes of groups may run, as the kernel's cpuset controller has it. */
export type Cpusets = {
  /** An empty set means that of the group above, and holds processes: cgroup v2. */
  readonly inherits: boolean
  /** Undefined when a cpuset can be had there, else why not, with the remedy. */
  readonly whyNone: (path: string) => string | undefined
  /** From the top down to the group. */
  readonly wayTo: (path: string) => readonly CpusetGroup[]
  /** Makes the group if there is none; in words why it failed, if it did. */
  readonly write: (change: CpusetChange) => string | undefined
  /** On cgroup v1, which has a hierarchy of its own for CPU: moves the processes of the group there to here. */
  readonly gather: (path: string) => void
  /** Moves its processes to the group above; in words why it failed, if it did. */
  readonly release: (path: string) => string | undefined
  /** Of a group without processes; in words why it failed, if it did. */
  readonly remove: (path: string) => string | undefined
}
