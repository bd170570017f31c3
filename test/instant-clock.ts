import { millis } from '../src/core/units.ts'
import type { Clock } from '../src/ports/clock.ts'

export type InstantClock = Clock & {
  /** How long each sleep would have taken. */
  readonly slept: number[]
  readonly advance: (duration: number) => void
}

/** Sleeps take no time, but count as if they did: for waits between answers of a real server. */
export function instantClock({ wall = Date.UTC(2026, 0, 1) } = {}): InstantClock {
  let now = 0
  const slept: number[] = []
  return {
    now: () => millis(Math.floor(now)),
    wall: () => millis(Math.floor(wall + now)),
    sleep: async (duration, signal) => {
      if (signal?.aborted === true) return
      slept.push(duration)
      now += duration
    },
    advance: (duration) => {
      now += duration
    },
    slept,
  }
}
