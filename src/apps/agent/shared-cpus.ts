/**
 * How busy the CPUs are that pods of a node, or groups of a host, share: beside idle CPU nobody is held
 * back by others. The mean is exponential by the time that passed, so that neither late looks nor looks
 * that come close upon each other change it.
 */
import type { MachineUsage } from '../../ports/cgroup.ts'

export type SharedCpus = {
  readonly last: MachineUsage | undefined
  /** Mean over about a second; from 0 to 1. */
  readonly busyRatio: number
  readonly isFull: boolean
}

export const noneSeen: SharedCpus = { last: undefined, busyRatio: 0, isFull: false }

/** A machine that becomes full shows 95 % after 1.5 s, and a burst of a second does not. */
const MEAN_SECONDS = 0.5
/** From here on somebody may wait for a CPU, and whether it does is worth reading. */
const BUSY_RATIO = 0.85
const FULL_RATIO = 0.95
/** A full machine counts as such until so little is in use: around one bound it would go back and forth. */
const IDLE_AGAIN_RATIO = 0.9

export const isBusy = ({ busyRatio }: SharedCpus): boolean => busyRatio >= BUSY_RATIO
export const hasIdle = ({ isFull }: SharedCpus): boolean => !isFull

/** With so much of the machine in use by now. */
export const withBusy = (before: SharedCpus, busyRatio: number): SharedCpus => ({
  ...before,
  busyRatio,
  isFull: busyRatio >= (before.isFull ? IDLE_AGAIN_RATIO : FULL_RATIO),
})

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
  return { ...withBusy(before, busyRatio + part * (ratio - busyRatio)), last: usage }
}
