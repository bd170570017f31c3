/** One managed group: what is known of it from sample to sample. */
import { millicoresUp } from '../../../core/bidding/pod.ts'
import type { CpuSet } from '../../../core/cpu/cpu-set.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import type { Smoothing } from '../../../core/demand/smooth.ts'
import { track, type Tracked } from '../../../core/demand/tracker.ts'
import { type Look, waitedBetween } from '../../../core/demand/waited.ts'
import {
  type Lived,
  type Standing,
  startStanding,
  stepStanding,
} from '../../../core/enforcement/standing.ts'
import type { Millicores } from '../../../core/units.ts'

export type GroupRules = {
  readonly path: string
  /** What it is entitled to, like a request. */
  readonly floor: Millicores
  readonly ceiling: Millicores
  readonly weight: number
  /** Its latency matters, and nobody here measures it. */
  readonly isUrgent?: true
  /** CPUs of its own: it takes no part in the market, and needs no quota. */
  readonly exclusive?: CpuSet
}

/** `isStrict`: shares are enforced by quotas. */
export type SensingRules = Pick<Lived, 'cpus' | 'isStrict' | 'throttledRatio'> & {
  readonly smoothing: Smoothing
}

export type Group = Standing & {
  readonly rules: GroupRules
  /** Its floor, as far as all floors fit into the capacity. */
  readonly entitled: Millicores
  readonly tracked: Tracked
  /** Samples that counted. */
  readonly samples: number
  /** The kernel's counter, when it was last read; undefined while nobody looks. */
  readonly waitingMicros: number | undefined
}

/** `waitingMicros` is undefined while the machine has CPU to spare; `given` is at least the entitlement. */
export type GroupSample = Look &
  Pick<Lived, 'entitled' | 'given' | 'hasIdleCpu'> & { readonly rules: GroupRules }

export function senseGroup(
  before: Group | undefined,
  sample: GroupSample,
  { cpus, smoothing, isStrict, throttledRatio }: SensingRules,
): Group {
  const { rules, entitled, given, hasIdleCpu, reading, waitingMicros } = sample
  const last = before && { reading: before.tracked.last, waitingMicros: before.waitingMicros }
  const waitedCores = last === undefined ? 0 : waitedBetween(last, sample)
  const tracked = track(before?.tracked, reading, { cpus, waitedCores, smoothing })
  const now = { rules, entitled, tracked, waitingMicros }
  const group: Group = { samples: 0, ...startStanding, ...before, ...now }
  const { rates } = tracked
  if (tracked.dropped !== undefined || rates === undefined) return group
  const standing = stepStanding(group, {
    seconds: rates.seconds,
    usedCores: rates.usageCores,
    waitedCores: tracked.waitedCores,
    periods: rates,
    latency: undefined,
    entitled,
    given,
    isStrict,
    throttledRatio,
    cpus,
    hasIdleCpu,
  })
  return { ...group, ...standing, samples: group.samples + 1 }
}

/** What the kernel allows; undefined without a limit. */
export const limitOf = ({ quotaMicros, periodMicros }: CpuReading): Millicores | undefined =>
  quotaMicros === null ? undefined : millicoresUp(quotaMicros / periodMicros)
