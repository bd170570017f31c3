/**
 * Whether what was read can wait for its turn: a container that is far from its quota, and idle or as
 * busy as it was, tells the tracker nothing new, so that four looks a second lead to one step of it,
 * and of an idle one to half a step. Most containers of a node are calm most of the time, and looking
 * is cheap.
 *
 *   quota 0.5, demand 0.1; used since the last look  throttled  the last step was    it is
 *                          0.12                      0          0.5 s ago        ->  calm
 *                          0.03                      0          0.5 s ago        ->  news: much less than before
 *                          0.3                       0          0.5 s ago        ->  news: above half of its quota
 *                          0.12                      1          0.5 s ago        ->  news
 *                          0.12                      0          1 s ago          ->  due
 */
import type { CpuReading } from './reading.ts'

/** Until one that works is due, and one that is idle: a second and two, and a timer may be early. */
const LONGEST_MICROS = 900_000
const LONGEST_IDLE_MICROS = 1_900_000
/** Of the quota. */
const CALM_RATIO = 0.5
const IDLE_RATIO = 0.05
/** Of demand: more than a change of so much is news. */
const SAME_RATIO = 0.5

export type Looks = {
  /** That the tracker has taken. */
  readonly taken: CpuReading
  /** The last one, taken or not. */
  readonly before: CpuReading
  readonly now: CpuReading
  /** As the tracker knows it. */
  readonly demandCores: number
}

export type Look = 'calm' | 'due' | 'news'

export function judgeLook({ taken, before, now, demandCores }: Looks): Look {
  const micros = now.atMicros - before.atMicros
  const used = (now.usageMicros - before.usageMicros) / micros
  if (!(micros > 0) || !(used >= 0)) return 'news'
  if (now.throttledPeriods !== before.throttledPeriods) return 'news'
  if (now.quotaMicros !== before.quotaMicros) return 'news'
  if (now.burstLimitMicros !== before.burstLimitMicros) return 'news'
  const quota = now.quotaMicros === null ? 1 : now.quotaMicros / now.periodMicros
  const isIdle = used <= IDLE_RATIO * quota && demandCores <= IDLE_RATIO * quota
  const isFar = now.quotaMicros === null || used <= CALM_RATIO * quota
  const isSame = Math.abs(used - demandCores) <= SAME_RATIO * demandCores
  if (!isIdle && !(isFar && isSame)) return 'news'
  const longest = isIdle ? LONGEST_IDLE_MICROS : LONGEST_MICROS
  return now.atMicros - taken.atMicros >= longest ? 'due' : 'calm'
}
