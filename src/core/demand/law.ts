/**
 * The control law of one CPU group: what quota it should have now.
 *
 * Objective: latency as without a limit, at the least quota on average. Constraint: quota within
 * floor and ceiling; changes are few, since every write refills the kernel's bucket.
 * Method:
 *   - Throttled, quota rises at once to the queue's appetite (level.ts), at most twice at a sample.
 *   - base is the largest of: the rate at which a bucket as deep as the quota rarely runs dry under
 *     the variance seen, D/2 + sqrt(D^2/4 + V L/2); demand with head-room; part of its peak, which is
 *     forgotten over 30 s. Quota rises to base when that is 7.5 % more, and falls towards it when it
 *     is 15 % less and nothing was throttled or lowered for the holding time.
 *   - Burst is the quota, always: it costs nothing on average and takes most of the p99.
 * The granted quota may be less than was wanted: every step starts from what is in force, so that a
 * contended market neither censors demand nor winds the law up.
 * O(1) a sample. Reference: 269 runs on the real kernel against Captain and Koordinator.
 *
 *   250 ms; usage  waited  throttled  quota  history             wanted
 *   0.2            0.9     2          0.2    0.2 steady      ->  0.4     throttled: twice at most
 *   0.1            0       0          0.12   0.1 steady      ->  0.12    enough
 *   0.1            0       0          0.5    0.1 for a minute -> 0.4     down by a fifth
 */
import { appetiteOf, followLevel, type Level, noLevel } from './level.ts'
import type { Dropped } from './rates.ts'
import { type LawSample, whyUnusable } from './sample.ts'
import type { LawSettings } from './settings.ts'

export type LawState = {
  readonly level: Level
  readonly peak: number
  /** Until quota may fall. */
  readonly holdSeconds: number
}

export type LawStep = {
  readonly state: LawState
  /** Quick, uncensored: what quota follows. */
  readonly demandCores: number
  /** What others may plan with: the appetite while throttled, a longer mean otherwise. */
  readonly estimateCores: number
  readonly variance: number
  /** The quota that demand, variance and peak call for. */
  readonly baseCores: number
  /** Wanted now. */
  readonly quotaCores: number
  readonly burstCores: number
  readonly reason: string
}

export const startLaw: LawState = { level: noLevel, peak: 0, holdSeconds: 0 }

const PEAK_SECONDS = 30
/** Base above quota by so much raises; below by so much lowers. */
const RAISE_RATIO = 0.075
const FALL_RATIO = 0.15

/** A sample that cannot be used leaves the state to the next. */
export function stepLaw(
  before: LawState,
  sample: LawSample,
  settings: LawSettings,
): LawStep | Dropped {
  const dropped = whyUnusable(sample)
  if (dropped !== undefined) {
    return { dropped, kind: sample.seconds > 0 ? 'too_late' : 'too_soon' }
  }
  const level = followLevel(before.level, sample)
  const { demand, variance, estimate } = level
  const peak = Math.max(before.peak * Math.exp(-sample.seconds / PEAK_SECONDS), demand)
  const baseCores = baseOf({ demand, variance, peak }, settings)
  const held = Math.max(0, before.holdSeconds - sample.seconds)
  const { quota, reason, hold = held } = decide({ sample, settings, base: baseCores, held })
  const quotaCores = Math.max(sample.floorCores, Math.min(quota, sample.ceilingCores))
  return {
    state: { level, peak, holdSeconds: hold },
    demandCores: demand,
    estimateCores: estimate,
    variance,
    baseCores,
    quotaCores,
    burstCores: quotaCores,
    reason: quotaCores === quota ? reason : `${reason}, but its ${boundOf(sample, quota)}`,
  }
}

const boundOf = ({ floorCores, ceilingCores }: LawSample, quota: number): string =>
  quota < floorCores ? `floor is ${cores(floorCores)}` : `ceiling is ${cores(ceilingCores)}`

type Shown = { readonly demand: number; readonly variance: number; readonly peak: number }

function baseOf({ demand, variance, peak }: Shown, settings: LawSettings): number {
  const { varianceWeight, headroomRatio, peakRatio } = settings
  const rarelyDry = demand / 2 + Math.sqrt(demand ** 2 / 4 + (variance * varianceWeight) / 2)
  return Math.max(rarelyDry, (1 + headroomRatio) * demand, peakRatio * peak)
}

type Question = {
  readonly sample: LawSample
  readonly settings: LawSettings
  readonly base: number
  readonly held: number
}

type Decision = { readonly quota: number; readonly reason: string; readonly hold?: number }

function decide({ sample, settings, base, held }: Question): Decision {
  const { quotaCores, throttledPeriods, usageCores, throttledCores } = sample
  const { holdSeconds, fallRatio } = settings
  if (quotaCores === undefined) {
    return { quota: base, reason: `has no limit; ${cores(base)} would do` }
  }
  const isThrottled = throttledPeriods > 0
  const appetite = isThrottled ? appetiteOf(sample) : 0
  const hold = isThrottled ? holdSeconds : held
  if (appetite > quotaCores && appetite * (1 + RAISE_RATIO) >= base) {
    const shown = `used ${cores(usageCores)} and waited ${cores(throttledCores)}`
    const reason = `raised ${fromTo(quotaCores, appetite)}: out of quota in ${throttledPeriods} periods, ${shown}`
    return { quota: appetite, reason, hold }
  }
  if (base > (1 + RAISE_RATIO) * quotaCores) {
    const reason = `raised ${fromTo(quotaCores, base)}: what it uses, its swings and its head-room`
    return { quota: base, reason, hold }
  }
  if (base >= (1 - FALL_RATIO) * quotaCores) {
    return { quota: quotaCores, reason: `kept at ${cores(quotaCores)}: it is enough`, hold }
  }
  if (hold > 0) {
    const reason = `kept at ${cores(quotaCores)}: not lowered for ${hold.toFixed(1)} s`
    return { quota: quotaCores, reason, hold }
  }
  const lowered = Math.max(base, (1 - fallRatio) * quotaCores)
  const reason = `lowered ${fromTo(quotaCores, lowered)}: ${cores(base)} would do`
  return { quota: lowered, reason, hold: holdSeconds }
}

const fromTo = (from: number, to: number): string => `from ${cores(from)} to ${cores(to)}`
const cores = (amount: number): string => amount.toFixed(3)
