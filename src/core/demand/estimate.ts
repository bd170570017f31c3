/**
 * How much CPU a container could use, from what it did use.
 *
 * Not throttled, usage is the demand. Throttled, usage is only what the quota let through: then it
 * is usage and the time waited, which is the appetite of a queue that built up and can be many times
 * the true demand, so it is bounded by twice what was used or allowed.
 *
 *   usage  waiting  limit       demand
 *   0.15   0        0.5     ->  0.15
 *   0.2    0.1      0.2     ->  0.3
 *   0.2    3        0.2     ->  0.4
 */
import type { CpuRates } from './rates.ts'

/** A throttled container may be this many times as hungry as it could show. */
const GROWTH = 2

export function rawDemand(rates: CpuRates): number {
  const { usageCores, throttledCores, limitCores = 0 } = rates
  if (throttledCores === 0) return usageCores
  return Math.min(usageCores + throttledCores, GROWTH * Math.max(usageCores, limitCores))
}

/** Up within a second or two, since being late hurts; down over most of a minute. */
export const UP_SECONDS = 1
export const DOWN_SECONDS = 15

/** Exponential smoothing by time constants: the same curve at every sampling interval. */
export function smooth(before: number | undefined, raw: number, seconds: number): number {
  if (before === undefined) return raw
  const constant = raw > before ? UP_SECONDS : DOWN_SECONDS
  return before + (raw - before) * -Math.expm1(-seconds / constant)
}
