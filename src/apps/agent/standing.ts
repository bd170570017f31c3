/** How a pod does, moved on by a sample. */
import { isInLane, stepCredits } from '../../core/enforcement/lane.ts'
import { isSuffering, judge, type Latency, slowRatioOf } from '../../core/guardrail/signals.ts'
import { addPeriods, throttledRatioOf } from '../../core/guardrail/throttle-window.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import type { Charge, Measured, Standing } from './charge.ts'

export type Moment = {
  readonly measured: readonly Measured[]
  readonly latency: Latency | undefined
  readonly now: Millis
  readonly hasIdleCpu: boolean
  /** Of periods: with more throttled ones a strict pod suffers. */
  readonly throttledRatio: number
}

/** Waiting comes in bursts: what counts is the last second or so. */
const WAITING_SECONDS = 1

export function stepStanding({ decision, standing }: Charge, moment: Moment): Standing {
  const { measured, latency, now, hasIdleCpu, throttledRatio } = moment
  if (measured.some(({ dropped }) => dropped !== undefined)) return standing
  const seconds = Math.max(...measured.map(({ rates }) => rates.seconds))
  const used = measured.reduce((sum, { rates }) => sum + rates.usageCores, 0)
  const waited = measured.reduce((sum, { waitedCores }) => sum + waitedCores, 0)
  const isStrict = decision.enforcement === 'strict'
  const entitledCores = decision.entitled / 1000
  const credits = stepCredits(standing.credits, { seconds, usedCores: used, entitledCores })
  const givenCores = Math.max(decision.given, decision.entitled) / 1000
  const marketCredits = stepCredits(standing.marketCredits, {
    seconds,
    usedCores: used,
    entitledCores: givenCores,
  })
  const window = isStrict ? addPeriods(standing.window, worstOf(measured)) : []
  const waitedNow = used + waited > 0 ? waited / (used + waited) : 0
  const part = Math.min(1, seconds / WAITING_SECONDS)
  const waitedRatio = standing.waitedRatio + part * (waitedNow - standing.waitedRatio)
  const signals = { throttledRatio: throttledRatioOf(window), waitedRatio, latency, hasIdleCpu }
  const verdict = judge(signals, throttledRatio)
  const isBad = isSuffering(verdict)
  const isShort = (slowRatioOf(latency) ?? 0) > 1 && !isInLane(credits)
  return {
    ...standing,
    credits,
    marketCredits,
    used: Math.round(used * 1000) as Millicores,
    waitedRatio,
    window,
    verdict,
    badSince: isBad ? (standing.badSince ?? now) : undefined,
    shortAt: isShort ? now : standing.shortAt,
  }
}

const worstOf = (measured: readonly Measured[]): Measured['rates'] =>
  measured.map(({ rates }) => rates).reduce((a, b) => (b.throttledRatio > a.throttledRatio ? b : a))

/**
 * It suffers from others, and has a claim: it is late although it has a latency target, or waits with
 * less than it is entitled to. Above that it waits for its own threads, or for CPU that nobody owes it.
 */
export function isHurt({ decision, standing }: Charge, hasTarget: boolean): boolean {
  const { verdict, used } = standing
  if (verdict?.state === 'late') return hasTarget
  if (verdict?.state !== 'waits') return false
  return used < decision.entitled || (hasTarget && verdict.slowRatio === undefined)
}

/** It uses more than it is entitled to, and has no latency target that says why. */
export const isTaker = ({ decision, standing }: Charge, hasTarget: boolean): boolean =>
  decision.enforcement === 'elastic' && !hasTarget && !isInLane(standing.credits)
