import type { Random } from '../core/random.ts'
import { ApiError } from '../ports/kube.ts'

/** client-go's values: 0.8 s doubling to 30 s, each stretched by up to as much again. */
const firstDelay = 800
const longestDelay = 30_000

export type Backoff = {
  /** Milliseconds to wait after this failure. */
  readonly next: (error: unknown) => number
  readonly reset: () => void
}

/**
 * A server that says when to come back is obeyed, plus our jitter, so that not everyone comes back
 * at once:
 *
 *   failure         1st          2nd          6th and on
 *   wait            0.8-1.6 s    1.6-3.2 s    25.6-51.2 s, then 30-60 s
 *   Retry-After: 5  5.0-5.8 s    5.0-6.6 s    25.6-51.2 s: never less than without it
 */
export function createBackoff(random: Random): Backoff {
  let delay = firstDelay
  return {
    next: (error) => {
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      const wait = Math.max(delay, asked) + random() * delay
      delay = Math.min(delay * 2, longestDelay)
      return wait
    },
    reset: () => {
      delay = firstDelay
    },
  }
}
