/**
 * What Kubernetes said could never be, by pod, with the circumstances in which it said so: it is not
 * asked for again before they change or ten minutes have passed. Only in memory: a controller that
 * starts anew asks once more, and is refused once more.
 */
import type { ContainerCpu, ResizeReason } from '../../core/resize/types.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'

export type Refused = {
  readonly values: readonly ContainerCpu[]
  readonly reason: ResizeReason
  readonly message: string
}

/** As a text that is another when they are; which ones count depends on the reason. */
export type Circumstances = (reason: ResizeReason) => string

export type Refusals = {
  readonly remember: (uid: string, refused: Refused, now: Circumstances) => void
  /** Undefined when it was not refused, or when it is worth asking again. */
  readonly recall: (uid: string, now: Circumstances) => Refused | undefined
  readonly forget: (uid: string) => void
}

/** What changed without our seeing it, such as a policy or a webhook, gets a chance so often. */
export const REFUSAL_MILLIS = 600_000

export function createRefusals(clock: Pick<Clock, 'now'>): Refusals {
  type Kept = Refused & { readonly circumstances: string; readonly at: Millis }
  const kept = new Map<string, Kept>()
  return {
    remember: (uid, refused, now) => {
      const circumstances = now(refused.reason)
      const before = kept.get(uid)
      const isSame = before?.circumstances === circumstances && before.message === refused.message
      // Said again and again, it would never be forgotten.
      if (!isSame) kept.set(uid, { ...refused, circumstances, at: clock.now() })
    },
    recall: (uid, now) => {
      const refused = kept.get(uid)
      if (refused === undefined) return undefined
      const isRecent = clock.now() - refused.at < REFUSAL_MILLIS
      if (isRecent && refused.circumstances === now(refused.reason)) return refused
      kept.delete(uid)
      return undefined
    },
    forget: (uid) => void kept.delete(uid),
  }
}
