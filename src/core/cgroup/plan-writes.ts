/**
 * In which order periods, quotas and bursts are written so that the kernel accepts every step.
 *
 * Objective: the fewest writes from what is to what is wanted, each state between them allowed.
 * The kernel answers EINVAL to a burst above the quota of the same group (v1 and v2), to a quota
 * below the burst, to a quota below 1 ms, and on v1 to a quota above the one of a group above it.
 * Method: bursts down; periods up, from the bottom; quotas up, from the top; quotas down, from the
 * bottom; periods down, from the top; bursts up; shares. After the first, no burst is above what is or
 * will be the quota; a quota that rises finds those above it raised, one that falls finds those below
 * it lowered. While a period changes its group is allowed less, never more.
 * Complexity: O(n log n) for n groups. Source: tg_set_cfs_bandwidth and __cfs_schedulable in
 * kernel/sched, the rules tried on Linux 6.18 (v1) and 6.1 (v2) by adapters/cgroup/kernel.test.ts.
 *
 *   pod            container       wanted            writes
 *   50/50          50/50           80/80, 80/80      pod 80, container 80, both bursts 80
 *   80/80          80/80           50/50, 50/50      both bursts 50, container 50, pod 50
 *   50/50          50/50           50/50, 50/50      none: any write refills the bucket
 *   50/50 in 100                   500/500 in 1000   period 1000, quota 500, burst 500
 */
import { clampShares } from './weight.ts'

/** The kernel's min_cfs_quota_period. */
const LEAST_QUOTA_MICROS = 1000
const PERIODS = { least: 1000, most: 1_000_000 }

export type CpuSettings = {
  /** cpu.shares, from 2; on cgroup v2 the shares that give its weight; 0 is a group that only idles. */
  readonly shares: number
  /** Null is no limit. */
  readonly quotaMicros: number | null
  readonly periodMicros: number
  /** Undefined on a kernel without CPU burst (before 5.14). */
  readonly burstMicros?: number
}

export type Setting = 'quotaMicros' | 'periodMicros' | 'burstMicros' | 'shares'

/** What is not named stays as it is, but a burst never above the quota, which goes with the period. */
export type SettingChange = Partial<Pick<CpuSettings, Setting>>

export type Group = {
  /** Below the mount: the number of its parts is how deep it is. */
  readonly path: string
  readonly now: CpuSettings
  readonly wanted: CpuSettings
}

export type Step<G extends Group> = {
  readonly group: G
  readonly setting: Setting
  readonly from: number | null
  readonly to: number | null
}

/** What a change comes to where `now` stands: whole, within the kernel's limits. */
export function settle(now: CpuSettings, change: SettingChange): CpuSettings {
  const periodMicros = settlePeriod(change.periodMicros ?? now.periodMicros)
  const kept = now.quotaMicros && (now.quotaMicros / now.periodMicros) * periodMicros
  const quotaMicros = settleQuota(change.quotaMicros === undefined ? kept : change.quotaMicros)
  const burstMicros = change.burstMicros ?? now.burstMicros
  return {
    periodMicros,
    quotaMicros,
    // A group that only idles (0) has no shares to set.
    shares: now.shares === 0 ? 0 : clampShares(change.shares ?? now.shares),
    ...(now.burstMicros !== undefined && {
      // Without a quota the kernel takes any.
      burstMicros: Math.max(0, Math.floor(Math.min(burstMicros ?? 0, quotaMicros ?? Infinity))),
    }),
  }
}

const settleQuota = (quota: number | null): number | null =>
  quota === null ? null : Math.max(LEAST_QUOTA_MICROS, Math.round(quota))

const settlePeriod = (period: number): number =>
  Math.min(PERIODS.most, Math.max(PERIODS.least, Math.round(period)))

export function planWrites<G extends Group>(groups: readonly G[]): Step<G>[] {
  const topDown = groups.toSorted((a, b) => depth(a.path) - depth(b.path))
  const steps = (setting: Setting): Step<G>[] =>
    topDown
      .map((group) => ({
        group,
        setting,
        from: group.now[setting] ?? null,
        to: group.wanted[setting] ?? null,
      }))
      .filter(({ from, to }) => from !== to)
  const rises = ({ from, to }: Step<G>): boolean => (to ?? Infinity) > (from ?? Infinity)
  const falls = (step: Step<G>): boolean => !rises(step)
  const [bursts, quotas] = [steps('burstMicros'), steps('quotaMicros')]
  const periods = steps('periodMicros')
  return [
    ...bursts.filter(falls),
    ...periods.filter(rises).toReversed(),
    ...quotas.filter(rises),
    ...quotas.filter(falls).toReversed(),
    ...periods.filter(falls),
    ...bursts.filter(rises),
    ...steps('shares'),
  ]
}

const depth = (path: string): number => path.split('/').length
