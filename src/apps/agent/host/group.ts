/** One managed group: what is known of it from sample to sample. */
import { millicoresUp } from '../../../core/bidding/pod.ts'
import type { CpuSet } from '../../../core/cpu/cpu-set.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import type { Smoothing } from '../../../core/demand/smooth.ts'
import { track, type Tracked } from '../../../core/demand/tracker.ts'
import { startCredits, stepCredits } from '../../../core/enforcement/lane.ts'
import { judge, type Verdict } from '../../../core/guardrail/signals.ts'
import {
  addPeriods,
  throttledRatioOf,
  type ThrottleWindow,
} from '../../../core/guardrail/throttle-window.ts'
import type { Millicores } from '../../../core/units.ts'

export type GroupRules = {
  readonly path: string
  /** What it is entitled to, like a request. */
  readonly floor: Millicores
  readonly ceiling: Millicores
  readonly weight: number
  /** CPUs of its own: it takes no part in the market, and needs no quota. */
  readonly exclusive?: CpuSet
}

export type SensingRules = {
  readonly cpus: number
  readonly smoothing: Smoothing
  /** Shares are enforced by quotas. */
  readonly isStrict: boolean
  /** Of periods: a strict group that is throttled in more of them suffers. */
  readonly throttledRatio: number
}

export type Group = {
  readonly rules: GroupRules
  /** Its floor, as far as all floors fit into the capacity. */
  readonly entitled: Millicores
  readonly tracked: Tracked
  /** Samples that counted. */
  readonly samples: number
  /** In the fast lane, in seconds of its entitlement. */
  readonly credits: number
  /** The same of what the market gave it. */
  readonly marketCredits: number
  /** The kernel's counter, when it was last read; undefined while nobody looks. */
  readonly waitingMicros: number | undefined
  /** Over about a second. */
  readonly usedCores: number
  readonly waitedCores: number
  readonly window: ThrottleWindow
  readonly verdict: Verdict
}

export type GroupSample = {
  readonly rules: GroupRules
  readonly entitled: Millicores
  /** By the last clearing, at least the entitlement. */
  readonly given: Millicores
  readonly reading: CpuReading
  /** Undefined while the machine has CPU to spare. */
  readonly waitingMicros: number | undefined
  readonly hasIdleCpu: boolean
}

/** Whether it suffers is told by the last second: a protection of two is to see no gap in it. */
const MEAN_SECONDS = 1

const well: Verdict = { state: 'well', slowRatio: undefined, reason: '' }

const startGroup = (rules: GroupRules, entitled: Millicores, tracked: Tracked): Group => ({
  rules,
  entitled,
  tracked,
  samples: 0,
  credits: startCredits,
  marketCredits: startCredits,
  waitingMicros: undefined,
  usedCores: 0,
  waitedCores: 0,
  window: [],
  verdict: well,
})

export function senseGroup(
  before: Group | undefined,
  sample: GroupSample,
  { cpus, smoothing, isStrict, throttledRatio }: SensingRules,
): Group {
  const { rules, entitled, given, reading, waitingMicros, hasIdleCpu } = sample
  const waitedCores = before === undefined ? 0 : waitedBetween(before, sample)
  const tracked = track(before?.tracked, reading, { cpus, waitedCores, smoothing })
  if (before === undefined) return { ...startGroup(rules, entitled, tracked), waitingMicros }
  const { rates } = tracked
  if (tracked.dropped !== undefined || rates === undefined) {
    return { ...before, entitled, tracked, waitingMicros }
  }
  const { seconds, usageCores } = rates
  const part = -Math.expm1(-seconds / MEAN_SECONDS)
  const used = before.usedCores + part * (usageCores - before.usedCores)
  const waited = before.waitedCores + part * (tracked.waitedCores - before.waitedCores)
  const window = addPeriods(before.window, rates)
  const signals = {
    throttledRatio: isStrict ? throttledRatioOf(window) : 0,
    waitedRatio: waitedRatioOf({ usedCores: used, waitedCores: waited }),
    latency: undefined,
    hasIdleCpu,
  }
  const earn = (credits: number, amount: Millicores): number =>
    stepCredits(credits, { seconds, usedCores: usageCores, entitledCores: amount / 1000 })
  return {
    rules,
    entitled,
    tracked,
    samples: before.samples + 1,
    credits: earn(before.credits, entitled),
    marketCredits: earn(before.marketCredits, given),
    waitingMicros,
    usedCores: used,
    waitedCores: waited,
    window,
    verdict: judge(signals, throttledRatio),
  }
}

/** Of the time in which it wanted to run. */
export const waitedRatioOf = ({
  usedCores,
  waitedCores,
}: Pick<Group, 'usedCores' | 'waitedCores'>): number =>
  waitedCores === 0 ? 0 : waitedCores / (usedCores + waitedCores)

/** For a CPU, not for quota; 0 unless the kernel was asked both times. */
function waitedBetween(before: Group, { reading, waitingMicros }: GroupSample): number {
  const { last } = before.tracked
  const micros = reading.atMicros - last.atMicros
  if (before.waitingMicros === undefined || waitingMicros === undefined || !(micros > 0)) return 0
  const throttled = reading.throttledMicros - last.throttledMicros
  return Math.max(0, (waitingMicros - before.waitingMicros - throttled) / micros)
}

/** What the kernel allows; undefined without a limit. */
export const limitOf = ({ quotaMicros, periodMicros }: CpuReading): Millicores | undefined =>
  quotaMicros === null ? undefined : millicoresUp(quotaMicros / periodMicros)
