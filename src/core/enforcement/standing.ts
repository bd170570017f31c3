/**
 * How somebody with a share of a machine does, from sample to sample: whether it is in the lanes, and
 * whether it suffers. Pods of a node and groups of a machine without Kubernetes are judged by it alike.
 */
import { judge, type Latency, type Verdict } from '../guardrail/signals.ts'
import {
  addPeriods,
  type PeriodCounts,
  throttledRatioOf,
  type ThrottleWindow,
} from '../guardrail/throttle-window.ts'
import { isOwed, noWaiting, stepWaiting, type Waiting } from '../guardrail/waiting.ts'
import type { Millicores } from '../units.ts'
import { isInLane, startCredits, stepCredits } from './lane.ts'

export type Standing = {
  /** In the fast lane, in seconds of its entitlement. */
  readonly credits: number
  /** The same of what the market gave it. */
  readonly marketCredits: number
  readonly waiting: Waiting
  /** Of a strict share; empty for others, whose quotas are ceilings. */
  readonly window: ThrottleWindow
  readonly verdict: Verdict
}

export const startStanding: Standing = {
  credits: startCredits,
  marketCredits: startCredits,
  waiting: noWaiting,
  window: [],
  verdict: { state: 'well', slowRatio: undefined },
}

/** One good sample, and what was owed meanwhile. */
export type Lived = {
  readonly seconds: number
  readonly usedCores: number
  readonly waitedCores: number
  readonly periods: PeriodCounts
  readonly latency: Latency | undefined
  readonly entitled: Millicores
  /** By the last clearing; the entitlement where that is more. */
  readonly given: Millicores
  readonly isStrict: boolean
  /** Of periods: a strict share that is throttled in more of them suffers. */
  readonly throttledRatio: number
  /** Of the machine. */
  readonly cpus: number
  readonly hasIdleCpu: boolean
}

export function stepStanding(before: Standing, lived: Lived): Standing {
  const { seconds, usedCores, waitedCores, entitled, given, latency, cpus, hasIdleCpu } = lived
  const use = { seconds, usedCores, hasIdleCpu, entitledCores: entitled / 1000 }
  const givenCores = Math.max(given, entitled) / 1000
  const waiting = stepWaiting(before.waiting, { ...use, waitedCores, cpus })
  const window = lived.isStrict ? addPeriods(before.window, lived.periods) : []
  const signals = {
    throttledRatio: throttledRatioOf(window),
    waitedRatio: waiting.waitedRatio,
    latency,
    hasIdleCpu,
  }
  return {
    credits: stepCredits(before.credits, use),
    marketCredits: stepCredits(before.marketCredits, { ...use, entitledCores: givenCores }),
    waiting,
    window,
    verdict: judge(signals, lived.throttledRatio),
  }
}

/**
 * It suffers from others, and has a claim: it misses a latency target of its own, as measured, or is owed
 * at least as much within its entitlement as it runs. Above that it waits for its own threads, or for CPU
 * that nobody owes it, and a target that nobody measures is a word.
 */
export function isHurt({ verdict, waiting }: Standing, hasTarget: boolean): boolean {
  if (verdict.state === 'late') return hasTarget
  if (verdict.state !== 'waits') return false
  return isOwed(waiting)
}

type Excuse = { readonly hasTarget: boolean; readonly isStrict: boolean }

/** It uses more than it is entitled to; neither a latency target nor a share that was sold says why. */
export const isTaker = ({ credits }: Standing, { hasTarget, isStrict }: Excuse): boolean =>
  !hasTarget && !isStrict && !isInLane(credits)
