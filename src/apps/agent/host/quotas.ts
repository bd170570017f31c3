/**
 * The quotas of groups: what was found in each, what stands there now, and what has to be written.
 * What somebody else sets counts as found from then on.
 */
import type { SettingChange } from '../../../core/cgroup/plan-writes.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import type { Millicores } from '../../../core/units.ts'
import type { CpuSettings } from '../../../ports/cgroup.ts'

export type QuotaRules = {
  /** A share is a quota; else a quota is only the most that somebody may use. */
  readonly isStrict: boolean
  /** Of strict groups. */
  readonly usesBurst: boolean
  readonly periodMicros: number
}

export type Quotas = {
  /** A reading of the group; what somebody else has set since the last one, if it is another quota. */
  readonly see: (path: string, reading: CpuReading) => SetByOthers | undefined
  /** Undefined where it stands already. `amount` is as in an `Aim`; null: no limit. */
  readonly change: (
    path: string,
    amount: Millicores | null | undefined,
  ) => SettingChange | undefined
  /** After a write, whether or not all of it was done. */
  readonly stands: (path: string, settings: CpuSettings) => void
  readonly forget: (path: string) => void
}

export type Quota = Pick<CpuSettings, 'quotaMicros' | 'periodMicros' | 'burstMicros'>
export type SetByOthers = { readonly from: Quota; readonly to: Quota }

type Known = {
  readonly found: Quota
  readonly now: Quota
  /** The kernel took no other: for one, a group below has a quota. */
  readonly ownPeriodMicros?: number
}

/** The kernel takes no less. */
const LEAST_QUOTA_MICROS = 1000

export function createQuotas({ isStrict, usesBurst, periodMicros }: QuotaRules): Quotas {
  const known = new Map<string, Known>()

  const wanted = ({ found, ownPeriodMicros }: Known, amount: Millicores | null | undefined) => {
    if (amount === undefined) return found
    if (amount === null) return { ...found, quotaMicros: null }
    const period = isStrict ? (ownPeriodMicros ?? periodMicros) : found.periodMicros
    const quotaMicros = Math.max(LEAST_QUOTA_MICROS, Math.round((amount * period) / 1000))
    if (isStrict) {
      const burst = usesBurst && found.burstMicros !== undefined && { burstMicros: quotaMicros }
      return { ...found, quotaMicros, periodMicros: period, ...burst }
    }
    return quotaMicros < (found.quotaMicros ?? Infinity) ? { ...found, quotaMicros } : found
  }

  return {
    see: (path, reading) => {
      const [before, to] = [known.get(path), quotaIn(reading)]
      if (before !== undefined && isSame(before.now, to)) {
        if (before.now.burstMicros === to.burstMicros) return undefined
        known.set(path, { ...before, found: { ...before.found, ...burstIn(to) }, now: to })
        return undefined
      }
      known.set(path, { ...before, found: to, now: to })
      return before && { from: before.now, to }
    },
    change: (path, amount) => {
      const one = known.get(path)
      if (one === undefined) return undefined
      const change = wanted(one, amount)
      return isSame(change, one.now) ? undefined : change
    },
    stands: (path, { quotaMicros, periodMicros: period, burstMicros }) => {
      const one = known.get(path)
      if (one === undefined) return
      const now = { quotaMicros, periodMicros: period, ...burstIn({ burstMicros }) }
      const isRefused = isStrict && period !== periodMicros
      known.set(path, { ...one, now, ...(isRefused && { ownPeriodMicros: period }) })
    },
    forget: (path) => void known.delete(path),
  }
}

const quotaIn = ({ quotaMicros, periodMicros, burstLimitMicros }: CpuReading): Quota => ({
  quotaMicros,
  periodMicros,
  ...burstIn({ burstMicros: burstLimitMicros }),
})

/** Not every kernel has it. */
const burstIn = ({ burstMicros }: { readonly burstMicros?: number | undefined }) =>
  burstMicros === undefined ? {} : { burstMicros }

const isSame = (one: Quota, other: Quota): boolean =>
  one.quotaMicros === other.quotaMicros && one.periodMicros === other.periodMicros
