/** What was seen of one pod in one window of time. */
import { totalOf } from './latency-histogram.ts'

export type PodWindow = {
  /** Milliseconds since 1970, at which it begins. */
  readonly at: number
  readonly seconds: number
  /** As a person would name it: that of the pods that are alike. */
  readonly workload: string
  readonly podUid: string
  readonly targetMillis?: number | undefined
  /** By bucket of the latency histogram; undefined where nothing is answered. */
  readonly answers?: ArrayLike<number> | undefined
  /** Requests turned away. */
  readonly refused: number
  /** Answered after the target, or turned away. */
  readonly late: number
  readonly periods: number
  readonly throttledPeriods: number
  readonly usedMicros: number
  readonly demandedMicros: number
  readonly promisedCoreSeconds: number
  /** By its request as its owner wrote it, whatever it is now. */
  readonly writtenCoreSeconds: number
  /** In which no node had taken it. */
  readonly pendingSeconds: number
  readonly allowedCoreSeconds: number
  readonly changes: number
  readonly restarts: number
}

/** A target on the p99 allows so many late answers. */
const LATE_RATIO = 0.01

/**
 * Whether more than 1 % of the answers were late; undefined where nothing can be said. Who was turned
 * away was not answered in time.
 *
 *   answers   refused  late      missed
 *   1000      0        10    ->  no
 *   1000      0        11    ->  yes
 *   990       10       11    ->  yes
 */
export function isMissed({
  targetMillis,
  answers = [],
  ...window
}: PodWindow): boolean | undefined {
  const all = totalOf(answers) + window.refused
  return targetMillis === undefined || all === 0 ? undefined : window.late > LATE_RATIO * all
}
