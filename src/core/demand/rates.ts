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
  /** Share of the periods in which it ran out of quota. */
  readonly throttledRatio: number
  /** Time waited for quota over time: how many CPUs it would have kept busy besides. */
  readonly throttledCores: number
  /** Undefined without a limit. */
  readonly limitCores: number | undefined
}

export type Measured = { readonly rates: CpuRates } | { readonly dropped: string }

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
    return { dropped: `expected ${SHORTEST_MICROS} us between readings, got ${micros}` }
  }
  for (const counter of COUNTERS) {
    if (!(after[counter] >= before[counter])) {
      return { dropped: `${counter} went back from ${before[counter]} to ${after[counter]}` }
    }
  }
  const usageCores = (after.usageMicros - before.usageMicros) / micros
  if (!(usageCores <= cpus * TOLERANCE)) {
    return { dropped: `expected at most ${cpus} CPUs in use, got ${usageCores.toFixed(1)}` }
  }
  const periods = after.periods - before.periods
  const throttled = after.throttledPeriods - before.throttledPeriods
  return {
    rates: {
      seconds: micros / 1_000_000,
      usageCores,
      throttledRatio: periods === 0 ? 0 : Math.min(1, throttled / periods),
      // Booked when the wait ends, so that one interval may hold the waiting of two.
      throttledCores: Math.min(cpus, (after.throttledMicros - before.throttledMicros) / micros),
      limitCores: after.quotaMicros === null ? undefined : after.quotaMicros / after.periodMicros,
    },
  }
}

const COUNTERS = ['usageMicros', 'periods', 'throttledPeriods', 'throttledMicros'] as const
