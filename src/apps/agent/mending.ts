/**
 * A kubelet that resizes a pod writes the weight and the quota of the new request, and what the agent had
 * set is gone until the next sample: for up to a quarter of a second a pod beside a full node has next to
 * nothing, which is enough to miss a latency target. So after a resize was seen in the API the pod is
 * looked at many times a second for as long as a kubelet usually takes, a median of 57 ms and seldom more
 * than a second (a real kubelet 1.36). A look is the reading of one small file.
 */
import type { Pod } from '../../apis/pod.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Change } from '../../runtime/store.ts'

const LOOKS_EVERY_MILLIS = 20
const LOOKS_FOR_MILLIS = 2000

export type Mending = {
  readonly note: (change: Change<Pod>) => void
  /** Resolves after an abort. */
  readonly stopped: () => Promise<void>
}

type MendingNeeds = {
  readonly clock: Clock
  /** Puts right what others wrote to a pod, if they did. */
  readonly mend: (uid: string) => void
}

export function createMending({ clock, mend }: MendingNeeds, signal: AbortSignal): Mending {
  /** By UID, until when it is looked at. */
  const watched = new Map<string, Millis>()
  let looking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    while (watched.size > 0 && !signal.aborted) {
      await clock.sleep(LOOKS_EVERY_MILLIS, signal)
      for (const [uid, until] of watched) {
        if (clock.now() > until) watched.delete(uid)
        else if (!signal.aborted) mend(uid)
      }
    }
    looking = undefined
  }

  return {
    note: (change) => {
      if (change.type !== 'updated' || !isResized(change)) return
      watched.set(change.now.metadata.uid ?? '', (clock.now() + LOOKS_FOR_MILLIS) as Millis)
      looking ??= look()
    },
    stopped: async () => looking,
  }
}

const isResized = ({ before, now }: { readonly before: Pod; readonly now: Pod }): boolean =>
  before.spec !== now.spec && resourcesOf(before) !== resourcesOf(now)

const resourcesOf = ({ spec }: Pod): string =>
  JSON.stringify([...spec.containers, ...(spec.initContainers ?? [])].map((one) => one.resources))
