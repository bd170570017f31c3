/**
 * Whether a pod suffers, by two signals that do not wait for each other: throttling, which the kernel
 * tells at every sample, and p99 latency, which Prometheus tells when it can.
 *
 * A signal is bad above its threshold and good below a lower one; between the two it is neither, so
 * that a pod at the threshold does not swing. Latency that is missing, too old or no number counts as
 * not measured: neither bad nor in the way.
 *
 *   throttled  p99 of target        verdict
 *   0.1        none             ->  bad      severity 0.11
 *   0          150 of 100 ms    ->  bad      severity 0.5
 *   0.03       none             ->  neither
 *   0          70 of 100 ms     ->  good
 */
export type Latency = {
  readonly p99Millis: number
  readonly targetMillis: number
  /** Since it was measured. */
  readonly ageMillis: number
}

export type Signals = { readonly throttledRatio: number; readonly latency: Latency | undefined }

export type Verdict = {
  readonly state: 'good' | 'neither' | 'bad'
  readonly isThrottled: boolean
  readonly isSlow: boolean
  /** p99 over its target; undefined where it is not known. */
  readonly slowRatio: number | undefined
  /** From 0, at the threshold, to 1. */
  readonly severity: number
  readonly reason: string
}

/** Of the threshold: below it is good. */
const THROTTLED_GOOD_PART = 0.5
/** Half of all periods is as bad as throttling is counted. */
const THROTTLED_WORST_RATIO = 0.5
const SLOW_GOOD_RATIO = 0.8
/** Twice the target is as bad as latency is counted. */
const SLOW_WORST_RATIO = 2
/** Two turns of Prometheus' usual 15 s. */
export const OLDEST_LATENCY_MILLIS = 30_000

/** `threshold` is of throttled periods. */
export function judge({ throttledRatio, latency }: Signals, threshold: number): Verdict {
  const isThrottled = throttledRatio > threshold
  const slowRatio = slowRatioOf(latency)
  const isSlow = slowRatio !== undefined && slowRatio > 1
  const isGood =
    throttledRatio <= THROTTLED_GOOD_PART * threshold &&
    (slowRatio === undefined || slowRatio <= SLOW_GOOD_RATIO)
  return {
    state: isThrottled || isSlow ? 'bad' : isGood ? 'good' : 'neither',
    isThrottled,
    isSlow,
    slowRatio,
    severity: Math.max(
      partOf(throttledRatio, { from: threshold, to: Math.max(threshold, THROTTLED_WORST_RATIO) }),
      partOf(slowRatio ?? 0, { from: 1, to: SLOW_WORST_RATIO }),
    ),
    reason: `throttled in ${percent(throttledRatio)} of periods, ${describeLatency(latency)}`,
  }
}

function slowRatioOf(latency: Latency | undefined): number | undefined {
  if (latency === undefined || !(latency.ageMillis <= OLDEST_LATENCY_MILLIS)) return undefined
  const ratio = latency.p99Millis / latency.targetMillis
  return ratio >= 0 && ratio < Infinity ? ratio : undefined
}

const partOf = (value: number, { from, to }: { from: number; to: number }): number =>
  value <= from ? 0 : Math.min(1, (value - from) / (to - from))

function describeLatency(latency: Latency | undefined): string {
  if (latency === undefined) return 'latency not measured'
  const told = `p99 ${Math.round(latency.p99Millis)} ms of ${latency.targetMillis} ms`
  return slowRatioOf(latency) === undefined ? `${told}, too old or no number` : told
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`
