/**
 * Since when pods of ours have no PodAllocation. One that somebody deleted by mistake is published
 * again by the agent of its node within seconds: restoring the pod at once would only make it swing.
 */
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'

export type MissingAllocations = {
  /** Milliseconds for which it is waited for, from the first time on that this is asked; 0 if no more. */
  readonly waitFor: (uid: string) => number
  /** It is there, or nobody waits for it. */
  readonly forget: (uid: string) => void
}

/** Several turns of an agent, and less than a person waits for who deleted it on purpose. */
const GRACE_MILLIS = 10_000

export function createMissingAllocations(clock: Pick<Clock, 'now'>): MissingAllocations {
  const since = new Map<string, Millis>()
  return {
    waitFor: (uid) => {
      const at = since.get(uid) ?? clock.now()
      since.set(uid, at)
      return Math.max(0, at + GRACE_MILLIS - clock.now())
    },
    forget: (uid) => void since.delete(uid),
  }
}
