/**
 * Which failures are worth another try, and after how long.
 *
 *   failure                                   what can be repeated      the rest (POST, ...)
 *   no connection, so nothing was sent        yes                       yes
 *   connection broken, or no answer in time   yes                       no: it may have been done
 *   429 and 503                               yes                       yes: it was not done
 *   429 of an eviction that a budget forbids  no                        no: it is an answer
 *   500 with Retry-After                      yes                       no
 *   502 and 504, from a proxy                 yes                       no
 *   any other answer, a wrong certificate     no                        no
 *
 * The wait is drawn from 0 to base x 2^n ("full jitter": Brooker, AWS Architecture Blog, 2015), so
 * that clients that failed together do not come back together; `Retry-After` comes before it.
 */
import type { Random } from '../../core/random.ts'
import type { Clock } from '../../ports/clock.ts'
import { ApiError, ConnectionFailed } from '../../ports/kube.ts'

export type RetryPolicy = {
  /** Tries in all. */
  readonly attempts: number
  readonly baseMillis: number
  readonly longestMillis: number
  /** No wait goes beyond this, counted from the first try. */
  readonly totalMillis: number
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  baseMillis: 100,
  longestMillis: 10_000,
  totalMillis: 60_000,
}

export type Retried<T> = {
  readonly attempt: () => Promise<T>
  /** Sending it twice does no more than sending it once. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal | undefined
}

export type RetryContext = {
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly random: Random
  readonly onRetry?: () => void
}

export async function withRetries<T>(work: Retried<T>, context: RetryContext): Promise<T> {
  const { policy, clock, random } = context
  const startedAt = clock.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await work.attempt()
    } catch (error) {
      const elapsed = clock.now() - startedAt
      if (work.signal?.aborted === true || !isWorthRetrying(error, work.repeatable)) throw error
      const wait = waitBefore(error, { tries, policy, random })
      if (tries >= policy.attempts || elapsed + wait > policy.totalMillis) {
        throw tries === 1 ? error : withCount(error, tries, elapsed)
      }
      await clock.sleep(wait, work.signal)
      work.signal?.throwIfAborted()
      context.onRetry?.()
    }
  }
}

export function isWorthRetrying(error: unknown, repeatable: boolean): boolean {
  if (error instanceof ConnectionFailed) return error.passing && (repeatable || !error.sent)
  if (!(error instanceof ApiError)) return false
  if (error.causes.some(({ reason }) => reason === 'DisruptionBudget')) return false
  if (error.code === 429 || error.code === 503) return true
  if (error.code === 500) return repeatable && error.retryAfterSeconds !== undefined
  return repeatable && (error.code === 502 || error.code === 504)
}

export function waitBefore(
  error: unknown,
  at: { readonly tries: number; readonly policy: RetryPolicy; readonly random: Random },
): number {
  const { baseMillis, longestMillis } = at.policy
  const jitter = at.random() * Math.min(longestMillis, baseMillis * 2 ** (at.tries - 1))
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  return asked + jitter
}

const withCount = (error: unknown, tries: number, elapsed: number): unknown =>
  error instanceof ConnectionFailed
    ? new ConnectionFailed(
        `${error.message} (${tries} tries in ${(elapsed / 1000).toFixed(1)} s)`,
        { sent: error.sent, passing: error.passing, cause: error.cause },
      )
    : error
