/**
 * The guardrail of one pod: whether it is raised now, how far, and whether it may be lowered.
 *
 * Throttled, it is raised to the demand estimate, which throttling tells; where that is not above
 * what it has, or only latency is bad, by 20 to 40 % by how bad it is. A raise must be able to show
 * before the next by percentage: 2 s for throttling (20 periods), 30 s for latency (its window).
 * Decreases are blocked while a violation lasts and for 30 s after. O(1) a sample.
 *
 *   has    estimate  throttled  p99 of target      raised to
 *   400m   0.9       0.3        none           ->  900m
 *   400m   0.3       0          200 of 100 ms  ->  560m
 *   400m   0.3       0.06       none           ->  482m
 */
import { millicoresUp } from '../bidding/pod.ts'
import type { Millicores } from '../units.ts'
import { bottom, climb, type Ladder, type Rung } from './ladder.ts'
import { judge, type Latency, type Verdict } from './signals.ts'
import {
  addPeriods,
  type PeriodCounts,
  throttledRatioOf,
  type ThrottleWindow,
} from './throttle-window.ts'

export type GuardState = {
  readonly window: ThrottleWindow
  readonly ladder: Ladder
  /** Until decreases are allowed again. */
  readonly blockedSeconds: number
  /** Since the last raise by percentage. */
  readonly raisedSeconds: number
}

/** Of a sample that the law has taken; one that was dropped does not come here. */
export type GuardSample = PeriodCounts & {
  readonly latency: Latency | undefined
  readonly current: Millicores
  readonly ceiling: Millicores
  readonly estimateCores: number
}

export type GuardStep = {
  readonly state: GuardState
  readonly rung: Rung
  readonly verdict: Verdict
  /** Undefined if it is not to be raised. */
  readonly raiseTo: Millicores | undefined
  /** Why it may not be lowered; undefined if it may. */
  readonly blocked: string | undefined
  readonly reason: string
}

export const startGuard: GuardState = {
  window: [],
  ladder: bottom,
  blockedSeconds: 0,
  raisedSeconds: Infinity,
}

/** What an operator decides. */
export type GuardRules = {
  /** Of the last 20 periods. */
  readonly throttledRatio: number
  readonly stepRatio: { readonly min: number; readonly max: number }
  readonly blockedSeconds: number
}

export const guardRules: GuardRules = {
  throttledRatio: 0.05,
  stepRatio: { min: 0.2, max: 0.4 },
  blockedSeconds: 30,
}

const THROTTLED_SETTLE_SECONDS = 2
const SLOW_SETTLE_SECONDS = 30
/** A fifth of next to nothing would not show: the kernel's smallest quota. */
const LEAST_CORES = 0.01

export function stepGuard(
  before: GuardState,
  sample: GuardSample,
  rules: GuardRules = guardRules,
): GuardStep {
  const { seconds } = sample
  const window = addPeriods(before.window, sample)
  const signals = { throttledRatio: throttledRatioOf(window), latency: sample.latency }
  const verdict = judge(signals, rules.throttledRatio)
  const isBad = verdict.state === 'bad'
  const blockedSeconds = isBad ? rules.blockedSeconds : Math.max(0, before.blockedSeconds - seconds)
  const ladder = climb(before.ladder, verdict.state, seconds)
  const sinceRaise = before.raisedSeconds + seconds
  const raise = isBad ? raiseOf({ sample, verdict, sinceRaise, rules }) : undefined
  return {
    state: {
      window,
      ladder,
      blockedSeconds,
      raisedSeconds: raise?.isByPercentage === true ? 0 : sinceRaise,
    },
    rung: ladder.rung,
    verdict,
    raiseTo: raise?.to,
    blocked: blockedSeconds > 0 ? whyBlocked(isBad, blockedSeconds) : undefined,
    reason: `${raise?.reason ?? (isBad ? 'suffers, nothing more to raise now' : 'left alone')}: ${verdict.reason}`,
  }
}

const whyBlocked = (isBad: boolean, seconds: number): string =>
  isBad ? 'not lowered while it suffers' : `not lowered for ${Math.ceil(seconds)} s: it suffered`

type Asked = {
  readonly sample: GuardSample
  readonly verdict: Verdict
  readonly sinceRaise: number
  readonly rules: GuardRules
}

type Raise = { readonly to: Millicores; readonly isByPercentage: boolean; readonly reason: string }

function raiseOf({ sample, verdict, sinceRaise, rules }: Asked): Raise | undefined {
  const { current, ceiling, estimateCores } = sample
  if (current >= ceiling) return undefined
  const cap = (to: Millicores): Millicores => (to > ceiling ? ceiling : to)
  const estimate = cap(millicoresUp(estimateCores))
  if (verdict.isThrottled && estimate > current) {
    const reason = `raised from ${current}m to its demand of ${estimate}m`
    return { to: estimate, isByPercentage: false, reason }
  }
  // Of 20 periods some may be from before the kernel's quota was raised: that needs no second raise.
  const isStillThrottled = verdict.isThrottled && sample.throttledPeriods > 0
  if (!isStillThrottled && !verdict.isSlow) return undefined
  const settle = isStillThrottled ? THROTTLED_SETTLE_SECONDS : SLOW_SETTLE_SECONDS
  if (sinceRaise < settle) return undefined
  const { min, max } = rules.stepRatio
  const ratio = min + (max - min) * verdict.severity
  const to = cap(
    millicoresUp(Math.max((current * (1 + ratio)) / 1000, current / 1000 + LEAST_CORES)),
  )
  const reason = `raised from ${current}m by ${Math.round(ratio * 100)} % to ${to}m`
  return { to, isByPercentage: true, reason }
}
