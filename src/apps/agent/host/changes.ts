/** What is to be written to the kernel for quotas that move and groups that are new. */
import { clampShares } from '../../../core/cgroup/weight.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import type { Move } from '../../../core/guardrail/fund-raises.ts'
import type { Millicores } from '../../../core/units.ts'
import type { GroupRules } from './group.ts'
import type { GroupChange } from './journal.ts'

/** cpu.shares of a group of weight 1: the kernel's own default. */
const SHARES = 1024
/** The kernel takes no less. */
const LEAST_QUOTA_MICROS = 1000

export type Changing = {
  readonly groups: readonly GroupRules[]
  readonly readings: ReadonlyMap<string, CpuReading>
  readonly isNew: (path: string) => boolean
  /** Before that, one that is to have CPUs of its own keeps the quota that it came with. */
  readonly isPinned: (path: string) => boolean
  readonly moves: readonly Move[]
  readonly usesBurst: boolean
  readonly periodOf: (path: string) => number
}

/** Burst is the quota, where it is used. A new group gets its shares too, and no quota on CPUs of its own. */
export function changesOf(changing: Changing): GroupChange[] {
  const { groups, readings, moves, isNew, isPinned, usesBurst, periodOf } = changing
  const moved = new Map(moves.map(({ id, to }) => [id, to]))
  return groups.flatMap(({ path, weight, exclusive }): GroupChange[] => {
    const reading = readings.get(path)
    const to = moved.get(path)
    if (reading === undefined || (to === undefined && !isNew(path))) return []
    const shares = clampShares(SHARES * weight)
    if (exclusive !== undefined) {
      return isPinned(path) ? [{ place: { path }, quotaMicros: null, shares }] : []
    }
    const periodMicros = periodOf(path)
    const quotaMicros = to === undefined ? keep(reading, periodMicros) : microsOf(to, periodMicros)
    return [
      {
        place: { path },
        quotaMicros,
        periodMicros,
        ...(usesBurst && quotaMicros !== null && { burstMicros: quotaMicros }),
        ...(isNew(path) && { shares }),
      },
    ]
  })
}

const microsOf = (amount: Millicores, periodMicros: number): number =>
  Math.max(LEAST_QUOTA_MICROS, Math.round((amount * periodMicros) / 1000))

/** As much as it allows, in another period. */
const keep = ({ quotaMicros, ...reading }: CpuReading, periodMicros: number): number | null =>
  quotaMicros === null ? null : Math.round((quotaMicros / reading.periodMicros) * periodMicros)
