/**
 * Burst and raised quotas that an agent left in the kernel when it was killed, on pods that are left alone
 * now: nobody else would take them back, and the kubelet could not lower a quota below its burst.
 *
 * Each pod is looked at once. What is on a pod of ours is ours; on others it may be somebody else's.
 */
import { originalAnnotation } from '../../apis/names.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import type { Log } from '../../ports/log.ts'
import type { Shared } from './agent.ts'
import { isMeasured, isMovable } from './charge.ts'
import type { Kernel } from './kernel.ts'
import type { Publisher } from './publisher.ts'
import type { Sampler } from './sampler.ts'
import type { SeenPod } from './seen-pod.ts'

export type Leftovers = {
  /** After a clearing, which tells who takes part; before we publish, since that makes every pod ours. */
  readonly undo: (pods: readonly SeenPod[], signal: AbortSignal) => Promise<void>
  /** Forgets the pods that are gone. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

/** systemd rounds a quota up to whole percents of a CPU. */
const ROUNDED_UP_MILLI = 10

type LeftoversNeeds = {
  readonly kernel: Kernel | undefined
  readonly publisher: Publisher
  readonly sampler: Pick<Sampler, 'trackedOf'>
  readonly shared: Pick<Shared, 'charges'>
  readonly log: Log
}

export function createLeftovers(needs: LeftoversNeeds): Leftovers {
  const { kernel, publisher, shared, log } = needs
  const { trackedOf } = needs.sampler
  const lookedAt = new Set<string>()

  /** Undefined where that cannot be known yet. */
  const isOurs = async ({ pod, ...seen }: SeenPod, signal: AbortSignal) => {
    if (pod.metadata.annotations?.[originalAnnotation] !== undefined) return true
    const standing = await publisher.standingOf(seen, signal)
    return standing && (standing.isOverridden || standing.told !== undefined)
  }

  const look = async (seen: SeenPod, signal: AbortSignal): Promise<void> => {
    const { uid, containers } = seen
    const isMoved = containers.some(({ place, limit = Infinity }) => {
      const last = place && trackedOf(place.containerId)?.last
      if (last === undefined) return false
      const { quotaMicros, periodMicros, burstLimitMicros = 0 } = last
      const milli = ((quotaMicros ?? 0) / periodMicros) * 1000
      return burstLimitMicros > 0 || milli > limit + ROUNDED_UP_MILLI
    })
    const isLeft = isMoved && !isMovable(seen, shared.charges.get(uid))
    const ours = isLeft ? await isOurs(seen, signal) : false
    if (ours === undefined) return
    lookedAt.add(uid)
    if (!isLeft || !ours) return
    kernel?.undo(seen)
    log('info', 'left by an earlier agent, taken back', { pod: keyOfPod(seen) })
  }

  return {
    undo: async (pods, signal) => {
      if (kernel === undefined) return
      for (const seen of pods) {
        if (!lookedAt.has(seen.uid) && isMeasured(seen.containers, trackedOf)) {
          await look(seen, signal)
        }
      }
    },
    keepOnly: (uids) => {
      for (const uid of lookedAt) if (!uids.has(uid)) lookedAt.delete(uid)
    },
  }
}
