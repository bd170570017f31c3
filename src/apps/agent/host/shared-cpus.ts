/** How busy the CPUs are that groups share. */
import type { MachineUsage } from '../../../ports/cgroup.ts'

export type SharedCpus = {
  readonly last: MachineUsage | undefined
  /** Mean over about a second; from 0 to 1. */
  readonly busyRatio: number
}

export const noneSeen: SharedCpus = { last: undefined, busyRatio: 0 }

/** A machine that becomes full shows 95 % after 1.5 s. */
const MEAN_SECONDS = 0.5
/** From here on somebody may wait for a CPU, and whether it does is worth reading. */
const BUSY_RATIO = 0.85
const FULL_RATIO = 0.95

export const isBusy = ({ busyRatio }: SharedCpus): boolean => busyRatio >= BUSY_RATIO
export const hasIdle = ({ busyRatio }: SharedCpus): boolean => busyRatio < FULL_RATIO

export type Looked = {
  /** Of the whole machine. */
  readonly usage: MachineUsage
  /** Used by groups on CPUs of their own. */
  readonly ownCores: number
  /** How many are shared. */
  readonly cpus: number
}

export function followShared(before: SharedCpus, { usage, ownCores, cpus }: Looked): SharedCpus {
  const { last = usage, busyRatio } = before
  const seconds = (usage.atMicros - last.atMicros) / 1_000_000
  if (!(seconds > 0)) return { ...before, last: usage }
  const cores = (usage.usageMicros - last.usageMicros) / 1_000_000 / seconds - ownCores
  const ratio = Math.min(1, Math.max(0, cores / cpus))
  const part = -Math.expm1(-seconds / MEAN_SECONDS)
  return { last: usage, busyRatio: busyRatio + part * (ratio - busyRatio) }
}
