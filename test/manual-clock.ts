/** Time that moves only when a test says so. */
import { millis } from '../src/core/units.ts'
import type { Clock } from '../src/ports/clock.ts'

export type ManualClock = Clock & {
  /** Moves time, ending the sleeps that fall due one by one, each at its own moment. */
  readonly advance: (duration: number) => Promise<void>
  /** How many sleeps wait. */
  readonly sleeping: () => number
}

/** A loop that sleeps for nothing would keep one `advance` busy for ever. */
const mostSleeps = 1_000_000

export function manualClock({ wall = Date.UTC(2026, 0, 1) } = {}): ManualClock {
  let now = 0
  let sleeps: { readonly due: number; readonly end: () => void }[] = []

  const sleep = async (duration: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted === true) {
        resolve()
        return
      }
      const end = () => {
        signal?.removeEventListener('abort', end)
        sleeps = sleeps.filter((other) => other !== entry)
        resolve()
      }
      const entry = { due: now + Math.max(0, Math.ceil(duration)), end }
      const later = sleeps.findIndex(({ due }) => due > entry.due)
      sleeps.splice(later === -1 ? sleeps.length : later, 0, entry)
      signal?.addEventListener('abort', end)
    })

  const advance = async (duration: number) => {
    const target = now + duration
    await settled()
    for (let count = 0; count < mostSleeps; count += 1) {
      const next = sleeps[0]
      if (next === undefined || next.due > target) {
        now = target
        return
      }
      now = Math.max(now, next.due)
      next.end()
      await settled()
    }
    throw new Error(`advancing a clock by ${duration} ms: ended ${mostSleeps} sleeps and more came`)
  }

  return {
    now: () => millis(now),
    wall: () => millis(wall + now),
    sleep,
    advance,
    sleeping: () => sleeps.length,
  }
}

/** All that can go on without time passing has gone on: immediates run after every microtask. */
export const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
