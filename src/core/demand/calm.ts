/**
 * Whether what was read can wait for its turn: a container that is far from its quota, and idle or as
 * busy as it was, gives the law nothing to act on, so that four looks a second lead to one step of it.
 * Most containers of a node are calm most of the time, and looking is cheap.
 *
 *   quota 0.5, demand 0.1; used since the last look  throttled  the last step was    calm
 *                          0.12                      0          0.5 s ago        ->  yes
 *                          0.03                      0          0.5 s ago        ->  no: much less than before
 *                          0.3                       0          0.5 s ago        ->  no: above half of its quota
 *                          0.12                      1          0.5 s ago        ->  no
 *                          0.12                      0          1 s ago          ->  no: it is its turn
 */
import type { CpuReading } from './reading.ts'

const LONGEST_MICROS = 900_000
/** Of the quota. */
const CALM_RATIO = 0.5
const IDLE_RATIO = 0.05
/** Of demand: more than a change of so much is news. */
const SAME_RATIO = 0.5

export type Looks = {
  /** That the law has taken. */
  readonly taken: CpuReading
  /** The last one, taken or not. */
  readonly before: CpuReading
  readonly now: CpuReading
  /** As the law knows it. */
  readonly demandCores: number
}

export function isCalm({ taken, before, now, demandCores }: Looks): boolean {
  const micros = now.atMicros - before.atMicros
  if (!(micros > 0) || isDue(taken, now)) return false
  if (now.throttledPeriods !== before.throttledPeriods) return false
  if (now.quotaMicros !== before.quotaMicros) return false
  if (now.burstLimitMicros !== before.burstLimitMicros) return false
  const used = (now.usageMicros - before.usageMicros) / micros
  if (!(used >= 0)) return false
  const quota = now.quotaMicros === null ? 1 : now.quotaMicros / now.periodMicros
  if (used <= IDLE_RATIO * quota && demandCores <= IDLE_RATIO * quota) return true
  const isFar = now.quotaMicros === null || used <= CALM_RATIO * quota
  return isFar && Math.abs(used - demandCores) <= SAME_RATIO * demandCores
}

/** Calm or not, it has waited long enough. */
export const isDue = (taken: CpuReading, now: CpuReading): boolean =>
  now.atMicros - taken.atMicros >= LONGEST_MICROS
