/**
 * The PodAllocations of this node, watched: what somebody deletes or rewrites is published again as it
 * stood, before the controller restores the pod for want of it; what a person takes over is theirs.
 */
import { isPersons, type PodAllocation, type PodAllocationSpec } from '../../apis/pod-allocation.ts'
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

export function seeAllocation(allocation: PodAllocation): SeenAllocation {
  const { metadata, spec } = allocation
  const { podUID, containers } = spec
  return {
    podUid: podUID ?? '',
    version: metadata.resourceVersion ?? '',
    isOverridden: isPersons(allocation),
    spec: { ...(podUID !== undefined && { podUID }), ...(containers && { containers }) },
  }
}

/** What was heard and not looked at yet, by UID of the pod: the version that it was. */
export type Hearsay = {
  readonly note: (change: Change<SeenAllocation>) => void
  readonly all: () => ReadonlyMap<string, string>
  readonly drop: (podUid: string) => void
  /** It is looked at again after all others. */
  readonly putLast: (podUid: string, version: string) => void
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
    putLast: (podUid, version) => {
      heard.delete(podUid)
      heard.set(podUid, version)
    },
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

type Looked = 'done' | 'failed'

/** An API that refuses is not asked at every sample. */
const TRY_AGAIN_MILLIS = 2000

/** Looks at what was heard since the last turn. */
export function ownAllocations(needs: Needs): (signal: AbortSignal) => Promise<void> {
  const { shared, publisher, kernel, clock, allocations } = needs
  const { hearsay } = allocations
  let waitsUntil = -Infinity as Millis

  const look = async (seen: SeenPod, version: string, signal: AbortSignal): Promise<Looked> => {
    const { uid } = seen
    const charge = shared.charges.get(uid)
    if (charge === undefined) return 'done'
    const leaveAlone = (): Looked => {
      charge.isOverridden = true
      publisher.forget(uid)
      kernel?.release(seen)
      return 'done'
    }
    const now = allocations.get(keyOfPod(seen))
    if (now?.isOverridden === true) return leaveAlone()
    const ours = publisher.knownOf(uid)
    if (ours === undefined || isOlder(version, ours.version)) return 'done'
    if (now !== undefined && isSameSpec(now.spec, ours.spec)) return 'done'
    const outcome = await publisher.publishAgain(uid, signal)
    // A person's own that names no node is not among those that are watched.
    return outcome === 'overridden' ? leaveAlone() : outcome === 'failed' ? 'failed' : 'done'
  }

  return async (signal) => {
    if (hearsay.all().size === 0 || clock.now() < waitsUntil) return
    const pods = new Map(shared.seenPods().map((pod) => [pod.uid, pod]))
    for (const [uid, version] of Array.from(hearsay.all())) {
      const seen = pods.get(uid)
      const lives = seen !== undefined && seen.pod.metadata.deletionTimestamp === undefined
      const looked = lives ? await look(seen, version, signal) : 'done'
      const isLatest = hearsay.all().get(uid) === version // else there is more to look at
      if (looked === 'done') {
        if (isLatest) hearsay.drop(uid)
        continue
      }
      waitsUntil = (clock.now() + TRY_AGAIN_MILLIS) as Millis
      if (isLatest) hearsay.putLast(uid, version)
      return // the market does not wait for an API that hangs once for every pod
    }
  }
}
