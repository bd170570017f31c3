/** When each pod was last resized, and what of it the kubelet has yet to do. */
import { gridOf, isMet } from '../../core/resize/quantise.ts'
import type { ContainerCpu } from '../../core/resize/types.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SeenPod } from './seen-pod.ts'

export type SentResizes = {
  readonly sent: (pod: SeenPod, to: readonly ContainerCpu[]) => void
  /** By our own clock if we sent it, else by what the server noted. */
  readonly sinceResize: (pod: SeenPod) => Millis | undefined
  readonly look: (pod: SeenPod) => void
  readonly forget: (uid: string) => void
}

type Sent = { readonly at: Millis; readonly to: readonly ContainerCpu[] | undefined }

/** The server notes whole seconds, and cuts off the rest. */
const CUT_OFF_MILLIS = 999
/** A clock so far ahead of ours says nothing about how long ago something was. */
const MOST_AHEAD_MILLIS = 60_000

export function createSentResizes(
  clock: Pick<Clock, 'now' | 'wall'>,
  actuated: (millis: number) => void,
): SentResizes {
  const byUid = new Map<string, Sent>()
  return {
    sent: ({ uid }, to) => void byUid.set(uid, { at: clock.now(), to }),
    sinceResize: ({ uid, resizedAt }) => {
      const sent = byUid.get(uid)
      if (sent !== undefined) return (clock.now() - sent.at) as Millis
      if (resizedAt === undefined) return undefined
      const since = clock.wall() - resizedAt - CUT_OFF_MILLIS
      return since < -MOST_AHEAD_MILLIS ? undefined : (Math.max(0, since) as Millis)
    },
    look: ({ uid, cpu }) => {
      const sent = byUid.get(uid)
      if (sent?.to === undefined) return
      const isGuaranteed = cpu.qosClass === 'Guaranteed'
      const grid = gridOf({ limitStep: undefined, isGuaranteed })
      if (!isMet(sent.to, { has: cpu.actuated, grid })) return
      actuated(clock.now() - sent.at)
      byUid.set(uid, { at: sent.at, to: undefined })
    },
    forget: (uid) => void byUid.delete(uid),
  }
}
