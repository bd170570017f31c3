import type { Millis } from '../core/units.ts'

export type BucketLimits = { readonly perSecond: number; readonly burst: number }
export type TokenBucket = {
  /** Takes a token, of the future if none is left; returns the milliseconds until it is there. */
  readonly reserve: (at: Millis) => number
}

/**
 * In any window of w seconds at most `burst + w * perSecond` reservations fall due. With 10 a second
 * and a burst of 2, five reservations at one moment wait 0, 0, 100, 200 and 300 ms.
 */
export function tokenBucket({ perSecond, burst }: BucketLimits): TokenBucket {
  let tokens = burst
  let filledAt: number | undefined
  return {
    reserve: (at) => {
      const passed = Math.max(0, at - (filledAt ?? at))
      filledAt = Math.max(at, filledAt ?? at)
      tokens = Math.min(burst, tokens + (passed * perSecond) / 1000) - 1
      return tokens >= 0 ? 0 : (-tokens * 1000) / perSecond
    },
  }
}
