/**
 * Exponential smoothing by time constants: the same curve at every sampling interval.
 *
 *   up 2.8 s, down 9.5 s: before  raw  after      smoothed
 *                         0       1    1 s    ->  0.3      up fast, since being late hurts
 *                         1       0    1 s    ->  0.9
 *                         none    0.7  1 s    ->  0.7
 */
export type Smoothing = { readonly upSeconds: number; readonly downSeconds: number }

/** 30 % of a step up and 10 % of a step down show after one second. */
export const usualSmoothing: Smoothing = { upSeconds: 2.804, downSeconds: 9.491 }

export type SmoothStep = { readonly raw: number; readonly seconds: number }

export function smooth(
  before: number | undefined,
  { raw, seconds }: SmoothStep,
  { upSeconds, downSeconds }: Smoothing,
): number {
  if (before === undefined) return raw
  const constant = raw > before ? upSeconds : downSeconds
  if (constant === 0) return raw
  return before + (raw - before) * -Math.expm1(-seconds / constant)
}

/** A mean over the last so many seconds, and over all that was seen while that is less. */
export type Mean = { readonly value: number; readonly seconds: number }

/**
 * Bursts and pauses count alike, and the first sample no more than the others.
 *
 *   over 60 s: before           raw, for    after
 *              none             1, 1 s  ->  1
 *              1 of 1 s         0, 1 s  ->  0.5
 *              1 of 60 s        0, 1 s  ->  0.983
 */
export function meanOver(before: Mean | undefined, step: SmoothStep, windowSeconds: number): Mean {
  const { value = 0, seconds: known = 0 } = before ?? {}
  const seconds = Math.min(windowSeconds, known + step.seconds)
  const part = seconds === 0 ? 1 : Math.min(1, step.seconds / seconds)
  return { value: value + part * (step.raw - value), seconds }
}
