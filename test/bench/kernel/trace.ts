/** What a run left behind, and what can be said of a stretch of it. */
import { sumOf } from '../statistics.ts'

/** Moments are since the start of the load. */
export type Reading = {
  readonly atMicros: number
  readonly usageMicros: number
  readonly periods: number
  readonly throttledPeriods: number
  /** At most the machine: a quota above it allows no more. */
  readonly quotaCores: number
  readonly promisedCores: number
}

export type GroupTrace = {
  readonly readings: readonly Reading[]
  /** Of each request, in order; NaN if it was not served. */
  readonly doneMicros: readonly number[]
}

/** Of the machine's CPU time. */
export type Disturbance = { readonly stealRatio: number; readonly othersRatio: number }

export type Trace = { readonly groups: readonly GroupTrace[]; readonly disturbance: Disturbance }

/** Averages over its time are in cores. */
export type Stretch = {
  readonly seconds: number
  readonly usedCores: number
  readonly allowedCores: number
  readonly promisedCores: number
  readonly periods: number
  readonly throttledPeriods: number
  /** Of the quota, as far as seen from reading to reading. */
  readonly changes: number
}

/** From the last reading before it to the last within. */
export function stretchOf(
  readings: readonly Reading[],
  { fromMicros, toMicros }: { readonly fromMicros: number; readonly toMicros: number },
): Stretch {
  const begin = Math.max(
    0,
    readings.findLastIndex(({ atMicros }) => atMicros <= fromMicros),
  )
  const within = readings.filter(({ atMicros }, i) => i >= begin && atMicros <= toMicros)
  const [first, last] = [within[0], within.at(-1)]
  if (first === undefined || last === undefined || first === last) {
    throw new Error(`measuring from ${fromMicros} to ${toMicros} us: expected two readings or more`)
  }
  const micros = last.atMicros - first.atMicros
  const steps = within.slice(1).map((to, i) => ({ from: within[i] ?? to, to }))
  const average = (figure: 'quotaCores' | 'promisedCores') =>
    sumOf(steps.map(({ from, to }) => from[figure] * (to.atMicros - from.atMicros))) / micros
  return {
    seconds: micros / 1e6,
    usedCores: (last.usageMicros - first.usageMicros) / micros,
    allowedCores: average('quotaCores'),
    promisedCores: average('promisedCores'),
    periods: last.periods - first.periods,
    throttledPeriods: last.throttledPeriods - first.throttledPeriods,
    changes: steps.filter(({ from, to }) => from.quotaCores !== to.quotaCores).length,
  }
}

/** From the step to the first reading whose quota suffices; 0 if it did before, infinite if never. */
export function secondsToSuffice(
  readings: readonly Reading[],
  step: { readonly atMicros: number; readonly cores: number },
): number {
  const suffices = ({ quotaCores }: Reading) => quotaCores >= step.cores
  const before = readings.findLast(({ atMicros }) => atMicros <= step.atMicros)
  if (before !== undefined && suffices(before)) return 0
  const first = readings.find((one) => one.atMicros > step.atMicros && suffices(one))
  return first === undefined ? Infinity : (first.atMicros - step.atMicros) / 1e6
}
