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

/** What is usual: over about a minute, bursts and pauses alike. */
export const usualUse: Smoothing = { upSeconds: 60, downSeconds: 60 }

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
