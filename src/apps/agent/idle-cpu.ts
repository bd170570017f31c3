/** Whether the node has idle CPU, for all that ask in a sample. */
import type { CgroupReader } from '../../ports/cgroup.ts'
import { followShared, hasIdle, isBusy, noneSeen, withBusy } from './shared-cpus.ts'

export type IdleCpu = {
  /** Looks once; `usedCores` is what the pods use, for a kernel that does not tell of the machine. */
  readonly look: (cpus: number, usedCores: () => number) => void
  /** CPU is short enough for waiting to be worth a look. */
  readonly isContended: () => boolean
  readonly hasIdleCpu: () => boolean
}

export function createIdleCpu(cgroups: Pick<CgroupReader, 'machine'>): IdleCpu {
  let shared = noneSeen
  return {
    look: (cpus, usedCores) => {
      const usage = cgroups.machine?.()
      shared =
        usage === undefined
          ? withBusy(shared, usedCores() / cpus)
          : followShared(shared, { usage, ownCores: 0, cpus })
    },
    isContended: () => isBusy(shared),
    hasIdleCpu: () => hasIdle(shared),
  }
}
