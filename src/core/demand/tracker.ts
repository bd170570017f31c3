/** What is known of one container from one sample to the next. */
import { rawDemand, smooth } from './estimate.ts'
import { type CpuRates, ratesBetween } from './rates.ts'
import type { CpuReading } from './reading.ts'

export type Tracked = {
  readonly last: CpuReading
  /** Of the last good pair of readings; undefined until there is one. */
  readonly rates: CpuRates | undefined
  /** Smoothed; undefined until there is a good pair of readings. */
  readonly demandCores: number | undefined
  /** Why this sample did not count. */
  readonly dropped: string | undefined
}

/** A dropped sample keeps the demand: the container may have restarted, its work has not gone. */
export function track(before: Tracked | undefined, reading: CpuReading, cpus: number): Tracked {
  if (before === undefined) {
    return { last: reading, rates: undefined, demandCores: undefined, dropped: undefined }
  }
  const measured = ratesBetween(before.last, reading, cpus)
  if ('dropped' in measured) {
    return { ...before, last: reading, dropped: measured.dropped }
  }
  const { rates } = measured
  const demandCores = smooth(before.demandCores, rawDemand(rates), rates.seconds)
  return { last: reading, rates, demandCores, dropped: undefined }
}
