import { setMaxListeners } from 'node:events'

import { millis } from '../core/units.ts'
import type { Clock } from '../ports/clock.ts'

/** A timer takes no more than this; a longer sleep ends early, which every loop must bear anyway. */
const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => millis(Math.floor(performance.now())),
  wall: () => millis(Date.now()),
  sleep: async (duration, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve()
        return
      }
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, Math.min(Math.max(0, Math.ceil(duration)), longestTimer))
      if (signal === undefined) return
      setMaxListeners(0, signal) // one shutdown signal serves any number of sleeps
      signal.addEventListener('abort', end)
    }),
}
