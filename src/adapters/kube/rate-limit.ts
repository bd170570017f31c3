/**
 * A token bucket for each purpose: a request takes a token, tokens come at a steady rate, and at most
 * `burst` are saved up. So in any span of t seconds at most burst + rate x t requests leave.
 *
 *   rate 10, burst 2, five requests at once  ->  they leave at 0, 0, 100, 200, 300 ms
 */
import type { Clock } from '../../ports/clock.ts'
import type { Purpose } from '../../ports/kube.ts'

/** Requests a second, and how many may leave at once; `unlimited` for what must not wait. */
export type RateLimit = { readonly perSecond: number; readonly burst: number } | 'unlimited'
export type RateLimits = Readonly<Record<Purpose, RateLimit>>

export const defaultRateLimits: RateLimits = {
  read: { perSecond: 50, burst: 100 },
  write: { perSecond: 100, burst: 100 },
  status: { perSecond: 50, burst: 50 },
  event: { perSecond: 10, burst: 25 },
  lease: 'unlimited',
}

/** Waits for a token, in the order of asking; the result is how long that took. */
export type Throttle = (purpose: Purpose, signal?: AbortSignal) => Promise<number>

export function createThrottle(limits: RateLimits, clock: Clock): Throttle {
  const buckets = {
    read: createBucket(limits.read, clock),
    write: createBucket(limits.write, clock),
    status: createBucket(limits.status, clock),
    event: createBucket(limits.event, clock),
    lease: createBucket(limits.lease, clock),
  }
  return async (purpose, signal) => buckets[purpose](signal)
}

type Bucket = (signal?: AbortSignal) => Promise<number>

function createBucket(limit: RateLimit, clock: Clock): Bucket {
  if (limit === 'unlimited') return async () => 0
  const perMilli = limit.perSecond / 1000
  let tokens = limit.burst // below zero: promised to those who wait
  let countedAt = clock.now()
  return async (signal) => {
    const now = clock.now()
    tokens = Math.min(limit.burst, tokens + (now - countedAt) * perMilli)
    countedAt = now
    tokens -= 1
    if (tokens >= 0) return 0
    const wait = Math.ceil(-tokens / perMilli)
    await clock.sleep(wait, signal)
    if (signal?.aborted === true) tokens += 1 // it goes to the next one
    signal?.throwIfAborted()
    return wait
  }
}
