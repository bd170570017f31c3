import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

export type Rhythm = {
  /** Milliseconds from turn to turn. */
  readonly interval: number
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  /** As in the line that tells that a turn failed. */
  readonly doing: string
}

/** At a fixed rhythm that a slow turn does not shift; turns that were missed are left out. */
export async function every(
  { interval, clock, log, signal, doing }: Rhythm,
  work: () => void | Promise<void>,
): Promise<void> {
  for (let next = clock.now() + interval; ; next = Math.max(next + interval, clock.now())) {
    await clock.sleep(next - clock.now(), signal)
    if (signal.aborted) return
    try {
      await work()
    } catch (error) {
      log('error', doing, { error })
    }
  }
}
