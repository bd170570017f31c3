/** Keeps groups on their CPUs: each on its own, all others on the pool. */
import { planCpuset } from '../../../core/cgroup/plan-cpuset.ts'
import { type CpuSet, formatCpuSet } from '../../../core/cpu/cpu-set.ts'
import type { Cpusets } from '../../../ports/cpuset.ts'
import type { Log } from '../../../ports/log.ts'
import { createNews } from '../news.ts'
import type { GroupRules } from './group.ts'
import type { Journal } from './journal.ts'
import type { HostMetrics } from './metrics.ts'

export type PinningNeeds = {
  readonly groups: readonly GroupRules[]
  /** Undefined: nobody has CPUs of its own, and cpusets are left alone. */
  readonly pool: CpuSet | undefined
  readonly cpusets: Cpusets
  readonly journal: Pick<Journal, 'pin' | 'unpin'>
  readonly log: Log
  readonly metrics: Pick<HostMetrics, 'pinned'>
}

export type Pinning = {
  /** Of the groups that are there. */
  readonly turn: (isThere: (path: string) => boolean) => void
  readonly isPinned: (path: string) => boolean
}

type Pinned = {
  /** The cpusets from the top down, as they stood after the last look: nothing new, nothing to do. */
  readonly seen: string
  readonly isDone: boolean
}

export function createPinning(needs: PinningNeeds): Pinning {
  const { groups, pool, cpusets, journal, log, metrics } = needs
  const known = new Map<string, Pinned>()
  const news = createNews()

  const tell = (path: string, message: string, fields: Readonly<Record<string, unknown>>): void => {
    if (news.isNew(path, JSON.stringify([message, fields]))) {
      log('warn', message, { group: path, ...fields })
    }
  }

  const isPinned = (path: string): boolean => known.get(path)?.isDone === true

  const forget = ({ path, exclusive }: GroupRules): void => {
    if (known.delete(path)) journal.unpin(path)
    if (exclusive !== undefined) metrics.pinned(path, 0)
  }

  const pin = ({ path, exclusive }: GroupRules, cpus: CpuSet): Pinned => {
    const way = cpusets.wayTo(path)
    const reason = journal.pin(planCpuset({ way, inherits: cpusets.inherits, cpus }))
    const [isDone, isOwn] = [reason === undefined, exclusive !== undefined]
    if (isOwn) metrics.pinned(path, isDone ? cpus.length : 0)
    if (isDone) {
      log('info', 'group pinned', { group: path, cpus: formatCpuSet(cpus), exclusive: isOwn })
    } else {
      tell(path, 'group cannot be pinned', { reason })
    }
    return { seen: JSON.stringify(cpusets.wayTo(path)), isDone }
  }

  const look = (group: GroupRules, cpus: CpuSet): void => {
    const { path } = group
    const reason = cpusets.whyNone(path)
    if (reason !== undefined) {
      forget(group)
      return tell(path, 'group cannot be pinned', { reason })
    }
    const way = cpusets.wayTo(path)
    const seen = JSON.stringify(way)
    const now = way.at(-1)?.set?.cpus ?? ''
    // Nobody empties a set that is in use: the group was made anew.
    if (isPinned(path) && now === '') forget(group)
    const stands = known.get(path)
    if (stands === undefined || (!stands.isDone && stands.seen !== seen)) {
      known.set(path, pin(group, cpus))
    } else if (stands.seen !== seen) {
      known.set(path, { ...stands, seen })
      if (now !== formatCpuSet(cpus)) {
        tell(path, 'cpuset set by someone else', { from: formatCpuSet(cpus), to: now })
      }
    }
    if (isPinned(path)) cpusets.gather(path)
  }

  const turn: Pinning['turn'] = (isThere) => {
    if (pool === undefined) return
    for (const group of groups) {
      const { path, exclusive = pool } = group
      try {
        if (isThere(path)) look(group, exclusive)
        else forget(group)
      } catch (error) {
        tell(path, 'group cannot be pinned', { reason: (error as Error).message })
      }
    }
  }

  return { turn, isPinned }
}
