/**
 * The PodAllocations of this node, watched: what somebody deletes or rewrites is published again as it
 * stood, before the controller restores the pod for want of it; what a person takes over is theirs.
 */
import { overrideAnnotation } from '../../apis/names.ts'
import type { PodAllocation, PodAllocationSpec } from '../../apis/pod-allocation.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import { isOlder } from '../../runtime/store-version.ts'
import type { Change } from '../../runtime/store.ts'
import type { Shared } from './agent.ts'
import { isSameSpec } from './allocation.ts'
import type { Kernel } from './kernel.ts'
import type { Publisher } from './publisher.ts'
import type { SeenPod } from './seen-pod.ts'

export type SeenAllocation = {
  readonly podUid: string
  readonly version: string
  /** A person owns it. */
  readonly isOverridden: boolean
  readonly spec: Pick<PodAllocationSpec, 'podUID' | 'containers'>
}

export function seeAllocation({ metadata, spec }: PodAllocation): SeenAllocation {
  const { podUID, containers } = spec
  return {
    podUid: podUID ?? '',
    version: metadata.resourceVersion ?? '',
    isOverridden: metadata.annotations?.[overrideAnnotation] === 'true',
    spec: { ...(podUID !== undefined && { podUID }), ...(containers && { containers }) },
  }
}

/** What was heard and not looked at yet, by UID of the pod: the version that it was. */
export type Hearsay = {
  readonly note: (change: Change<SeenAllocation>) => void
  readonly all: () => ReadonlyMap<string, string>
  readonly drop: (podUid: string) => void
}

export function createHearsay(): Hearsay {
  const heard = new Map<string, string>()
  return {
    note: (change) => {
      const { podUid, version } = change.type === 'deleted' ? change.before : change.now
      heard.set(podUid, version)
    },
    all: () => heard,
    drop: (podUid) => void heard.delete(podUid),
  }
}

/** Keyed as a store is. */
export type OwnAllocations = {
  readonly hearsay: Hearsay
  readonly get: (key: string) => SeenAllocation | undefined
}

type Needs = {
  readonly shared: Pick<Shared, 'seenPods' | 'charges'>
  readonly publisher: Publisher
  readonly kernel: Kernel | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly allocations: OwnAllocations
}

/** An API that refuses is not asked at every sample. */
const TRY_AGAIN_MILLIS = 2000

/** Looks at what was heard since the last turn. */
export function ownAllocations(needs: Needs): (signal: AbortSignal) => Promise<void> {
  const { shared, publisher, kernel, clock, allocations } = needs
  const { hearsay } = allocations
  let waitsUntil = -Infinity as Millis

  const look = async (seen: SeenPod, version: string, signal: AbortSignal): Promise<boolean> => {
    const { uid } = seen
    const charge = shared.charges.get(uid)
    if (charge === undefined) return true
    if (charge.sending !== undefined) return false // what is under way may be what was heard of
    const now = allocations.get(keyOfPod(seen))
    if (now?.isOverridden === true) {
      charge.isOverridden = true
      publisher.forget(uid)
      kernel?.release(seen)
      return true
    }
    const ours = publisher.knownOf(uid)
    if (ours === undefined || isOlder(version, ours.version)) return true
    if (now !== undefined && isSameSpec(now.spec, ours.spec)) return true
    return publisher.publishAgain(uid, signal)
  }

  return async (signal) => {
    if (hearsay.all().size === 0 || clock.now() < waitsUntil) return
    const pods = new Map(shared.seenPods().map((pod) => [pod.uid, pod]))
    for (const [uid, version] of Array.from(hearsay.all())) {
      const seen = pods.get(uid)
      const lives = seen !== undefined && seen.pod.metadata.deletionTimestamp === undefined
      const isDone = !lives || (await look(seen, version, signal))
      if (!isDone) waitsUntil = (clock.now() + TRY_AGAIN_MILLIS) as Millis
      else if (hearsay.all().get(uid) === version) hearsay.drop(uid) // else there is more to look at
    }
  }
}
