/**
 * Pods of which the server said that they are not what the cache shows. Usually the cache shows it a
 * moment later, and that wakes us; when its watch has fallen silent, asking again and again would only
 * be refused again and again.
 *
 *   refusals of one version   1        2     3     8 and on
 *   asked again after         500 ms   1 s   2 s   60 s
 */
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import { backoffAfter, type BackoffLimits } from '../../runtime/backoff.ts'
import type { SeenPod } from './seen-pod.ts'

export type StaleViews = {
  /** The server knows a newer version than this one. */
  readonly note: (pod: SeenPod) => void
  /** Milliseconds for which this version is not worth asking with; 0 for one that is. */
  readonly waitFor: (pod: SeenPod) => number
  readonly forget: (uid: string) => void
}

const limits: BackoffLimits = { first: 500, longest: 60_000 }

type Stale = { readonly version: string | undefined; readonly count: number; readonly at: Millis }

export function createStaleViews(clock: Pick<Clock, 'now'>): StaleViews {
  const byUid = new Map<string, Stale>()
  const known = ({ uid, metadata }: SeenPod): Stale | undefined => {
    const stale = byUid.get(uid)
    return stale?.version === metadata.resourceVersion ? stale : undefined
  }
  return {
    note: (pod) => {
      const count = (known(pod)?.count ?? 0) + 1
      byUid.set(pod.uid, { version: pod.metadata.resourceVersion, count, at: clock.now() })
    },
    waitFor: (pod) => {
      const stale = known(pod)
      if (stale === undefined) return 0
      return Math.max(0, stale.at + backoffAfter(limits, stale.count) - clock.now())
    },
    forget: (uid) => void byUid.delete(uid),
  }
}
