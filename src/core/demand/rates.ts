/**
 * Two readings of one container become rates. What the kernel cannot have meant gives a refusal in
 * words, never a negative, infinite or wild value: the sample is dropped, the next one counts.
 *
 *   interval  usage    periods  throttled  time waited     usage    ratio  waiting
 *   1 s       +0.2 s   +10      +5         +0.4 s      ->  0.2      0.5    0.4
 *   1 s       +0.2 s   +0       +0         +0 s        ->  0.2      0      0       no limit
 *   1 s       -3 s     +0       +0         +0 s        ->  dropped: it started anew
 */
import type { CpuReading } from './reading.ts'

export type CpuRates = {
  readonly seconds: number
  readonly usageCores: number
  /** Enforcement periods that ended, and those of them in which it ran out of quota. */
  readonly periods: number
  readonly throttledPeriods: number
  readonly throttledRatio: number
  /** Time waited for quota over time: how many CPUs it would have kept busy besides. */
  readonly throttledCores: number
  /** Periods in which it ran above its quota on what it had saved; 0 where the kernel does not tell. */
  readonly burstPeriods: number
  /** Undefined without a limit. */
  readonly limitCores: number | undefined
}

/** In words, and as one of few kinds to count. */
export type Dropped = { readonly dropped: string; readonly kind: DropKind }
export type DropKind = 'too_soon' | 'too_late' | 'counter_went_back' | 'impossible_rate'
export type Measured = { readonly rates: CpuRates } | Dropped

/**
 * Below it a rate says more about the moment of the read than about the container: the kernel books
 * usage at ticks of up to 10 ms.
 */
const SHORTEST_MICROS = 20_000
/** Ticks booked late may lift a rate a little above the CPUs there are; more is no measurement. */
const TOLERANCE = 1.5

export function ratesBetween(before: CpuReading, after: CpuReading, cpus: number): Measured {
  const micros = after.atMicros - before.atMicros
  if (!(micros >= SHORTEST_MICROS)) {
    const dropped = `expected ${SHORTEST_MICROS} us between readings, got ${micros}`
    return { dropped, kind: 'too_soon' }
  }
  const turned = COUNTERS.find((counter) => !(after[counter] >= before[counter]))
  if (turned !== undefined) {
    const dropped = `${turned} went back from ${before[turned]} to ${after[turned]}`
    return { dropped, kind: 'counter_went_back' }
  }
  const usageCores = (after.usageMicros - before.usageMicros) / micros
  if (!(usageCores <= cpus * TOLERANCE)) {
    const dropped = `expected at most ${cpus} CPUs in use, got ${usageCores.toFixed(1)}`
    return { dropped, kind: 'impossible_rate' }
  }
  const periods = after.periods - before.periods
  const throttled = Math.min(periods, after.throttledPeriods - before.throttledPeriods)
  return {
    rates: {
      seconds: micros / 1_000_000,
      usageCores,
      periods,
      throttledPeriods: throttled,
      throttledRatio: periods === 0 ? 0 : throttled / periods,
      // Booked when the wait ends, so that one interval may hold the waiting of two.
      throttledCores: Math.min(cpus, (after.throttledMicros - before.throttledMicros) / micros),
      burstPeriods: Math.max(0, (after.burstPeriods ?? 0) - (before.burstPeriods ?? 0)),
      limitCores: after.quotaMicros === null ? undefined : after.quotaMicros / after.periodMicros,
    },
  }
}

const COUNTERS = ['usageMicros', 'periods', 'throttledPeriods', 'throttledMicros'] as const
