/** What is known of one container from one sample to the next. */
import { type LawStep, startLaw, stepLaw } from './law.ts'
import { type CpuRates, type Dropped, ratesBetween } from './rates.ts'
import type { CpuReading } from './reading.ts'
import { lawSettings } from './settings.ts'
import { smooth, type Smoothing, usualSmoothing, usualUse } from './smooth.ts'

export type Tracked = {
  readonly last: CpuReading
  /** Of the last good pair of readings; undefined until there is one. */
  readonly rates: CpuRates | undefined
  /** Of the last good sample: demand, the quota wanted now, and why. */
  readonly law: LawStep | undefined
  /** For bids: the law's estimate, up fast and down slowly; undefined until there is one. */
  readonly demandCores: number | undefined
  /** For promises: what it used, mean over about a minute. */
  readonly usualCores: number | undefined
  /** Why this sample did not count. */
  readonly dropped: Dropped | undefined
  /** How many did not count so far. */
  readonly droppedSamples: number
}

export type Bounds = {
  /** Of the machine. */
  readonly cpus: number
  /** Where known: one thread never uses more than one CPU. */
  readonly threads?: number
  /** The least quota (what is published) and the most; 10m and all CPUs if not told. */
  readonly floorCores?: number
  readonly ceilingCores?: number
  /** Of demand, for bids. */
  readonly smoothing?: Smoothing
}

/** The kernel's smallest quota is 1 ms of 100. */
const SMALLEST_CORES = 0.01

/** A dropped sample keeps the demand: the container may have restarted, its work has not gone. */
export function track(before: Tracked | undefined, reading: CpuReading, bounds: Bounds): Tracked {
  if (before === undefined) {
    const nothing = { rates: undefined, law: undefined, demandCores: undefined }
    return {
      last: reading,
      ...nothing,
      usualCores: undefined,
      dropped: undefined,
      droppedSamples: 0,
    }
  }
  const drop = (dropped: Dropped): Tracked => ({
    ...before,
    last: reading,
    dropped,
    droppedSamples: before.droppedSamples + 1,
  })
  const measured = ratesBetween(before.last, reading, bounds.cpus)
  if ('dropped' in measured) return drop(measured)
  const { rates } = measured
  const law = stepLaw(
    before.law?.state ?? startLaw,
    sampleOf(rates, bounds),
    lawSettings(rates.seconds, rates.periodSeconds),
  )
  if ('dropped' in law) return drop(law)
  const { smoothing = usualSmoothing } = bounds
  const { seconds, usageCores } = rates
  const demandCores = smooth(before.demandCores, { raw: law.estimateCores, seconds }, smoothing)
  const usualCores = smooth(before.usualCores, { raw: usageCores, seconds }, usualUse)
  return { ...before, last: reading, rates, law, demandCores, usualCores, dropped: undefined }
}

function sampleOf(rates: CpuRates, bounds: Bounds) {
  const { seconds, usageCores, throttledPeriods, throttledCores, limitCores } = rates
  const { cpus, threads = cpus, floorCores = SMALLEST_CORES, ceilingCores = cpus } = bounds
  return {
    seconds,
    usageCores,
    throttledPeriods,
    throttledCores,
    quotaCores: limitCores,
    parallelism: Math.min(cpus, threads),
    floorCores,
    ceilingCores: Math.max(floorCores, ceilingCores),
  }
}
