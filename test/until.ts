/** For tests: waits for what another process or a kernel does, and never bets on how soon that is. */
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

/** For a machine that does much else besides: only who waits in vain waits so long. */
export const patienceMillis = 300_000
const everyMillis = 50

type Found<T> = Exclude<T, false | undefined | null>

/**
 * Looks until there is something, and returns it. If there never is, the error says what was seen last:
 * what `seen` returns.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  seen: () => unknown = () => undefined,
): Promise<Found<T>> {
  const deadline = performance.now() + patienceMillis
  for (;;) {
    const found = await look()
    if (found !== false && found !== undefined && found !== null) return found as Found<T>
    if (performance.now() > deadline) {
      const last = seen()
      const told = last === undefined ? '' : `; seen last: ${show(last)}`
      throw new Error(`waited ${patienceMillis / 1000} s for ${what}${told}`)
    }
    await sleep(everyMillis)
  }
}

const show = (value: unknown): string => (typeof value === 'string' ? value : inspect(value))
