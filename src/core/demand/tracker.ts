/** What is known of one container from one sample to the next. */
import { readyCores } from './bursts.ts'
import { followLevel, type Level, noLevel } from './level.ts'
import { type CpuRates, type Dropped, ratesBetween } from './rates.ts'
import type { CpuReading } from './reading.ts'
import { type DemandSample, whyUnusable } from './sample.ts'
import { type Mean, meanOver, smooth, type Smoothing, usualSmoothing } from './smooth.ts'

/** In seconds. */
const MINUTE = 60

export type Tracked = {
  readonly last: CpuReading
  /** Of the last good pair of readings; undefined until there is one. */
  readonly rates: CpuRates | undefined
  /** Of the last good sample. */
  readonly level: Level | undefined
  /** Time waited for a CPU over time, in the last good sample. */
  readonly waitedCores: number
  /** For bids: the estimate, up fast and down slowly; undefined until there is one. */
  readonly demandCores: number | undefined
  /** What it used, mean over about a minute, bursts and pauses alike. */
  readonly minute: Mean | undefined
  /** The same over about ten minutes. */
  readonly tenMinutes: Mean | undefined
  /** What keeps its bursts from waiting, mean over about a minute. */
  readonly ready: Mean | undefined
  /** Why this sample did not count. */
  readonly dropped: Dropped | undefined
  /** How many did not count so far. */
  readonly droppedSamples: number
}

export type Around = {
  /** Of the machine. */
  readonly cpus: number
  /** Where known: one thread never uses more than one CPU. */
  readonly threads?: number
  /** Time waited for a CPU over time; 0 if nobody looked. */
  readonly waitedCores?: number
  /** Of demand, for bids. */
  readonly smoothing?: Smoothing
}

/** A dropped sample keeps the demand: the container may have restarted, its work has not gone. */
export function track(before: Tracked | undefined, reading: CpuReading, around: Around): Tracked {
  if (before === undefined) return startTracking(reading)
  const drop = (dropped: Dropped): Tracked => ({
    ...before,
    last: reading,
    dropped,
    droppedSamples: before.droppedSamples + 1,
  })
  const measured = ratesBetween(before.last, reading, around.cpus)
  if ('dropped' in measured) return drop(measured)
  const { rates } = measured
  const sample = sampleOf(rates, around)
  const unusable = whyUnusable(sample)
  if (unusable !== undefined) {
    return drop({ dropped: unusable, kind: sample.seconds > 0 ? 'too_late' : 'too_soon' })
  }
  const level = followLevel(before.level ?? noLevel, sample)
  const { smoothing = usualSmoothing } = around
  const { seconds, usageCores } = rates
  const use = { raw: usageCores, seconds }
  const ready = { raw: readyCores(level.demand, level.variance), seconds }
  return {
    ...before,
    last: reading,
    rates,
    level,
    waitedCores: sample.waitedCores,
    demandCores: smooth(before.demandCores, { raw: level.estimate, seconds }, smoothing),
    minute: meanOver(before.minute, use, MINUTE),
    tenMinutes: meanOver(before.tenMinutes, use, 10 * MINUTE),
    ready: meanOver(before.ready, ready, MINUTE),
    dropped: undefined,
  }
}

const startTracking = (last: CpuReading): Tracked => ({
  last,
  rates: undefined,
  level: undefined,
  waitedCores: 0,
  demandCores: undefined,
  minute: undefined,
  tenMinutes: undefined,
  ready: undefined,
  dropped: undefined,
  droppedSamples: 0,
})

function sampleOf(
  rates: CpuRates,
  { cpus, threads = cpus, waitedCores = 0 }: Around,
): DemandSample {
  const { seconds, usageCores, throttledPeriods, throttledCores, limitCores } = rates
  return {
    seconds,
    usageCores,
    throttledPeriods,
    throttledCores,
    // The scheduler books waiting when it ends, so that one sample may hold the waiting of two.
    waitedCores: Math.min(cpus, waitedCores),
    quotaCores: limitCores,
    parallelism: Math.min(cpus, threads),
  }
}
