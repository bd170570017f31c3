/**
 * Weights, quotas and burst that an agent left in the kernel when it was killed, on pods that are left
 * alone now: nobody else would take them back, and the kubelet could not lower a quota below its burst.
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

type LeftoversNeeds = {
  readonly kernel: Kernel | undefined
  readonly publisher: Publisher
  readonly sampler: Pick<Sampler, 'trackedOf'>
  readonly shared: Pick<Shared, 'charges'>
  readonly log: Log
}

type Found = { readonly seen: SeenPod; readonly isLeft: boolean }

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

  const look = async ({ seen, isLeft }: Found, signal: AbortSignal): Promise<void> => {
    const { uid } = seen
    const ours = isLeft ? await isOurs(seen, signal) : false
    if (ours === undefined) return
    lookedAt.add(uid)
    if (!isLeft || !ours) return
    kernel?.takeOver(seen)
    kernel?.release(seen)
    log('info', 'left by an earlier agent, taken back', { pod: keyOfPod(seen) })
  }

  return {
    undo: async (pods, signal) => {
      if (kernel === undefined) return
      const found = pods
        .filter(({ uid, containers }) => !lookedAt.has(uid) && isMeasured(containers, trackedOf))
        // All of them before anything is undone: those that nobody touched show what a kubelet sets.
        .map((seen): Found => {
          const isOthers = !isMovable(seen, shared.charges.get(seen.uid))
          return { seen, isLeft: isOthers && kernel.isLeftOn(seen) }
        })
      for (const one of found) await look(one, signal)
    },
    keepOnly: (uids) => {
      for (const uid of lookedAt) if (!uids.has(uid)) lookedAt.delete(uid)
    },
  }
}
