/**
 * The share of throttled periods over the last 20, from samples that each hold a few.
 *
 * Whole samples are kept, the newest that together cover 20 periods. Fewer count as if the rest were
 * free of throttling, so that one bad period alone is no violation. A group that sleeps has no
 * periods, so what is older than 4 s is forgotten. O(samples in the window).
 *
 *   samples of periods, throttled      ratio
 *   10, 0; 10, 2                   ->  0.1
 *   2, 1                           ->  0.05   of 20
 *   10, 9; 10, 0; 10, 0            ->  0
 */
export type PeriodCounts = {
  readonly seconds: number
  readonly periods: number
  readonly throttledPeriods: number
}

/** Oldest first. */
export type ThrottleWindow = readonly PeriodCounts[]

const PERIODS = 20
const OLDEST_SECONDS = 4

export function addPeriods(window: ThrottleWindow, sample: PeriodCounts): ThrottleWindow {
  const kept: PeriodCounts[] = [sample]
  let { periods, seconds } = sample
  for (const one of window.toReversed()) {
    seconds += one.seconds
    if (periods >= PERIODS || seconds > OLDEST_SECONDS) break
    kept.unshift(one)
    periods += one.periods
  }
  return kept
}

export function throttledRatioOf(window: ThrottleWindow): number {
  let [periods, throttled] = [0, 0]
  for (const one of window) {
    periods += one.periods
    throttled += one.throttledPeriods
  }
  return throttled / Math.max(PERIODS, periods)
}
