/** How busy the machine is, over about a second: beside idle CPU nobody is held back by others. */
import type { CgroupReader } from '../../ports/cgroup.ts'

export type IdleCpu = {
  /** Looks once; `usedCores` is what the pods use, for a kernel that does not tell of the machine. */
  readonly look: (cpus: number, usedCores: () => number) => void
  /** CPU is short enough for waiting to be worth a look. */
  readonly isContended: () => boolean
  readonly hasIdleCpu: () => boolean
}

/** Of all CPUs. Waiting is looked at a little before CPU runs out; idle is what shows in a reading. */
const CONTENDED_RATIO = 0.85
const FULL_RATIO = 0.95
const OVER_MICROS = 1_000_000
const SHORTEST_MICROS = 50_000

export function createIdleCpu(cgroups: Pick<CgroupReader, 'machine'>): IdleCpu {
  let last: { readonly atMicros: number; readonly usageMicros: number } | undefined
  let busyRatio = 0
  return {
    look: (cpus, usedCores) => {
      const now = cgroups.machine?.()
      if (now === undefined) {
        busyRatio = usedCores() / cpus
        return
      }
      const micros = last === undefined ? 0 : now.atMicros - last.atMicros
      if (last !== undefined && micros < SHORTEST_MICROS) return
      if (last !== undefined) {
        const ratio = Math.max(0, (now.usageMicros - last.usageMicros) / micros / cpus)
        busyRatio += Math.min(1, micros / OVER_MICROS) * (Math.min(1, ratio) - busyRatio)
      }
      last = now
    },
    isContended: () => busyRatio >= CONTENDED_RATIO,
    hasIdleCpu: () => busyRatio < FULL_RATIO,
  }
}
