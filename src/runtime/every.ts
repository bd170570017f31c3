import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Verdict } from './http-server-probes.ts'

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

export type Pulse = {
  /** It happened. */
  readonly beat: () => void
  /** For a probe: no, if it has not happened for long. */
  readonly verdict: () => Verdict
}

/** So many turns may be late before a rhythm counts as stuck. */
const LATE_TURNS = 10

/** Whether something goes on at its rhythm; `what` is as in `the last turn was 2600 ms ago`. */
export function feelPulse(
  { interval, clock }: Pick<Rhythm, 'interval' | 'clock'>,
  what: string,
): Pulse {
  let at = clock.now()
  return {
    beat: () => {
      at = clock.now()
    },
    verdict: () => {
      const late = clock.now() - at
      return late < LATE_TURNS * interval
        ? { ok: true }
        : { ok: false, reason: `the last ${what} was ${late} ms ago` }
    },
  }
}
