/**
 * Moments that others noted by the wall clock, on our own clock, which never steps: each is converted
 * once, when it is first seen, so that a wall clock that is set anew moves none of them.
 *
 *   noted    seen first at   since then            ->  ago
 *   12:00    12:01           30 s                      90 s
 *   12:00    12:01           30 s, set back 1 h        90 s
 *   12:00    11:59           30 s                      30 s: what is to come counts from now
 */
import type { Millis } from '../core/units.ts'
import type { Clock } from '../ports/clock.ts'

export type Moments = {
  /** By `clock.now()`; `id` says whose it is, of which the last moment is kept. */
  readonly of: (id: string, wall: Millis) => Millis
  /** Forgets what is gone. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void
}

export function createMoments(clock: Pick<Clock, 'now' | 'wall'>): Moments {
  const known = new Map<string, { readonly wall: Millis; readonly at: Millis }>()
  return {
    of: (id, wall) => {
      const before = known.get(id)
      if (before?.wall === wall) return before.at
      const at = (clock.now() - Math.max(0, clock.wall() - wall)) as Millis
      known.set(id, { wall, at })
      return at
    },
    keepOnly: (ids) => {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    },
  }
}
