/**
 * Serves as soon as the port is free. Any local user can take a port; that must not keep a process from
 * work that is worth more than its metrics.
 */
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** A port is taken again soon after a restart of what had it; nobody waits for metrics for longer. */
const AGAIN_MILLIS = 5000

export type Serving<S> = {
  /** Throws what `serveHttp` does. */
  readonly serve: () => Promise<S>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** Undefined when the signal came first. Only a port that is taken is waited for. */
export async function serveWhenFree<S>({
  serve,
  clock,
  log,
  signal,
}: Serving<S>): Promise<S | undefined> {
  for (let isTold = false; !signal.aborted; isTold = true) {
    try {
      return await serve()
    } catch (error) {
      if (!isTaken(error)) throw error
      if (!isTold) log('warn', 'not serving until the port is free', { error })
    }
    await clock.sleep(AGAIN_MILLIS, signal)
  }
  return undefined
}

export const isTaken = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
}
