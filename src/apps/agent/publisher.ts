/** Writes decisions as PodAllocations: only what changed, and nothing that a person owns. */
import {
  isPersons,
  type PodAllocation,
  podAllocations,
  type PodAllocationSpec,
} from '../../apis/pod-allocation.ts'
import type { Decision } from '../../core/bidding/plan.ts'
import type { NodePod } from '../../core/bidding/pod.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import type { Millis } from '../../core/units.ts'
import type { Clock } from '../../ports/clock.ts'
import { isMissingType, isReason, type Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import { within } from '../../runtime/within.ts'
import {
  allocationOf,
  allocationWith,
  amountsIn,
  applyOf,
  isOtherSpec,
  isSameSpec,
  type ToldAmounts,
  withDecision,
  withNotes,
} from './allocation.ts'
import { demandIn } from './charge.ts'
import { messages } from './messages.ts'

/** `outdated`: what was decided is too old to be told. */
export type Outcome = 'written' | 'unchanged' | 'overridden' | 'failed' | 'outdated'

/** An API that hangs must not be told later what was decided now; the client alone would wait longer. */
const LONGEST_WRITE_MILLIS = 10_000
/** What a pod needs and gets may change while its amounts stay: it is written again no sooner than this. */
const OLD_MILLIS = 300_000

export type Publication = {
  readonly decision: Decision
  readonly urgency: PodAllocationSpec['urgency']
}

export type Publisher = {
  /** Never throws: what fails is tried again by who asked. */
  readonly publish: (publication: Publication, signal: AbortSignal) => Promise<Outcome>
  /** Only which words of its owner do not count: the amounts stay. Never throws. */
  readonly publishNotes: (decision: Decision, signal: AbortSignal) => Promise<Outcome>
  /** What the API has for a pod; undefined where that cannot be known. */
  readonly standingOf: (
    pod: Pick<NodePod, 'uid' | 'namespace' | 'name'>,
    signal: AbortSignal,
  ) => Promise<Standing | undefined>
  /** What stands in the API as we wrote or found it, with its version. */
  readonly knownOf: (uid: string) => Known | undefined
  /** As it stood, after somebody deleted or rewrote it. Never throws; what failed is to be tried again. */
  readonly publishAgain: (uid: string, signal: AbortSignal) => Promise<PublishedAgain>
  /** What stands there is no longer what we wrote. */
  readonly forget: (uid: string) => void
  /** What stands in the API by container, as far as we know. */
  readonly limitsOf: (uid: string) => ToldAmounts['limits'] | undefined
  /** The API did not take what was last written. */
  readonly isAway: () => boolean
  /** Forgets the pods that are gone. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

/** `refused`: trying again would not help; the next clearing asks what stands there. */
export type PublishedAgain = 'written' | 'unknown' | 'overridden' | 'refused' | 'failed'

export type Standing = {
  /** By a person. */
  readonly isOverridden: boolean
  /** By an agent, of this very pod. */
  readonly told: ToldAmounts | undefined
  /** With the reason: what a controller put in the place of a forged one has none. */
  readonly isExplained: boolean
}

export type Known = {
  readonly namespace: string
  readonly spec: PodAllocationSpec
  readonly version: string
  /** When it was written, or found. */
  readonly at: Millis
}

type PublisherNeeds = {
  readonly kube: Kube
  readonly nodeName: string
  readonly clock: Clock
  readonly log: Log
}

export function createPublisher({ kube, nodeName, clock, log }: PublisherNeeds): Publisher {
  /** By UID of the pod: what stands in the API as far as we know. */
  const known = new Map<string, Known>()
  let isAway = false

  /** Written by an agent of this node, for this very pod: what another wrote tells nothing. */
  const isOurs = ({ spec }: PodAllocation, uid: string): boolean =>
    spec.podUID === uid && spec.nodeName === nodeName

  const write = async (publication: Publication, signal: AbortSignal): Promise<Outcome> => {
    const { decision } = publication
    const { uid, namespace, name } = decision.pod
    const before = known.get(uid)
    const isKnown = before?.spec.decision !== undefined
    if (isKnown && !isOtherSpec(before.spec, decision)) return 'unchanged'
    const current = await find(kube, { namespace, name }, signal)
    if (current !== undefined && isPersons(current)) {
      known.delete(uid)
      return 'overridden'
    }
    const isSame = current !== undefined && isOurs(current, uid) && isExplained(current)
    if (isSame && !isOtherSpec(current.spec, decision)) {
      known.set(uid, knownFrom(current, clock.now()))
      return 'unchanged'
    }
    await apply(allocationOf(publication, nodeName), signal)
    return 'written'
  }

  const apply = async (allocation: PodAllocation, signal: AbortSignal): Promise<void> => {
    const { spec } = allocation
    const { namespace = '', name = '' } = allocation.metadata
    const options = { signal, purpose: 'write' } as const
    const patch = applyOf(allocation)
    const { metadata } = await kube.patch(podAllocations, { namespace, name }, patch, options)
    known.set(spec.podUID ?? '', {
      namespace,
      spec,
      version: metadata.resourceVersion ?? '',
      at: clock.now(),
    })
  }

  const writeNotes = async (decision: Decision, signal: AbortSignal): Promise<Outcome> => {
    const { uid, namespace, name } = decision.pod
    const before = known.get(uid)
    const isOld = before !== undefined && clock.now() - before.at >= OLD_MILLIS
    const spec =
      before &&
      ((isOld ? withDecision(before.spec, decision) : undefined) ??
        withNotes(before.spec, decision))
    if (before === undefined || spec === undefined) return 'unchanged'
    const current = await find(kube, { namespace, name }, signal)
    if (current !== undefined && isPersons(current)) {
      known.delete(uid)
      return 'overridden'
    }
    // What others deleted or rewrote is published again as it stood, and noted on after that.
    if (current === undefined || !isSameSpec(current.spec, before.spec)) return 'unchanged'
    await apply(allocationWith(spec, namespace), signal)
    return 'written'
  }

  const publishAgain: Publisher['publishAgain'] = async (uid, signal) => {
    const ours = known.get(uid)
    if (ours === undefined) return 'unknown'
    const place = { namespace: ours.namespace, name: ours.spec.podName }
    const pod = keyOfPod(place)
    try {
      const again = allocationWith(ours.spec, ours.namespace)
      const limits = { timeout: LONGEST_WRITE_MILLIS, signal }
      return await within(clock, limits, async (limited) => {
        const current = await find(kube, place, limited)
        if (current !== undefined && isPersons(current)) {
          known.delete(uid)
          return 'overridden'
        }
        await apply(again, limited)
        log('warn', 'allocation published again', { pod })
        return 'written'
      })
    } catch (error) {
      if (!signal.aborted) log('error', 'publishing allocation again', { pod, error })
      if (!isReason(error, 'Forbidden')) return 'failed'
      known.delete(uid)
      return 'refused'
    }
  }

  const publish: Publisher['publish'] = async (publication, signal) => {
    const { pod, request, limit, need, reason } = publication.decision
    const fields = { pod: keyOfPod(pod), request, limit, need, reason }
    const work = async (limited: AbortSignal) => write(publication, limited)
    const outcome = await attempt({ uid: pod.uid, fields, work }, signal)
    if (outcome === 'written') log('info', messages.decision, { ...fields, demand: demandIn(pod) })
    else if (outcome !== 'failed') log('debug', `allocation ${outcome}`, fields)
    return outcome
  }

  const publishNotes: Publisher['publishNotes'] = async (decision, signal) => {
    const { pod, notes } = decision
    const fields = { pod: keyOfPod(pod), notes }
    const work = async (limited: AbortSignal) => writeNotes(decision, limited)
    return attempt({ uid: pod.uid, fields, work }, signal)
  }

  type Attempt = {
    readonly uid: string
    readonly fields: Readonly<Record<string, unknown>>
    readonly work: (signal: AbortSignal) => Promise<Outcome>
  }
  const attempt = async ({ uid, fields, work }: Attempt, signal: AbortSignal): Promise<Outcome> => {
    try {
      const outcome = await within(clock, { timeout: LONGEST_WRITE_MILLIS, signal }, work)
      isAway = false
      return outcome
    } catch (error) {
      known.delete(uid) // it may have been written all the same
      isAway = true
      if (!signal.aborted) log('error', 'publishing allocation', { ...fields, error })
      return 'failed'
    }
  }

  const standingOf: Publisher['standingOf'] = async ({ uid, namespace, name }, signal) => {
    try {
      const limits = { timeout: LONGEST_WRITE_MILLIS, signal }
      const current = await within(clock, limits, async (limited) =>
        find(kube, { namespace, name }, limited),
      )
      isAway = false
      const isOverridden = current !== undefined && isPersons(current)
      if (isOverridden) known.delete(uid) // what stands there is no longer what we wrote
      const isTold = !isOverridden && current !== undefined && isOurs(current, uid)
      if (isTold) known.set(uid, knownFrom(current, clock.now()))
      return {
        isOverridden,
        told: isTold ? amountsIn(current.spec) : undefined,
        isExplained: isTold && isExplained(current),
      }
    } catch (error) {
      isAway = true
      const pod = keyOfPod({ namespace, name })
      if (!signal.aborted) log('warn', 'asking what stands in the API', { pod, error })
      return undefined
    }
  }

  const keepOnly: Publisher['keepOnly'] = (uids) => {
    for (const uid of known.keys()) if (!uids.has(uid)) known.delete(uid)
  }

  const limitsOf: Publisher['limitsOf'] = (uid) => {
    const { spec } = known.get(uid) ?? {}
    return spec && amountsIn(spec).limits
  }

  return {
    publish,
    publishNotes,
    standingOf,
    knownOf: (uid) => known.get(uid),
    publishAgain,
    forget: (uid) => void known.delete(uid),
    limitsOf,
    isAway: () => isAway,
    keepOnly,
  }
}

const isExplained = ({ spec }: PodAllocation): boolean => spec.decision !== undefined

const knownFrom = ({ spec, metadata }: PodAllocation, at: Millis): Known => ({
  at,
  namespace: metadata.namespace ?? '',
  spec,
  version: metadata.resourceVersion ?? '',
})
async function find(
  kube: Kube,
  place: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<PodAllocation | undefined> {
  try {
    return await kube.get(podAllocations, place, { signal, purpose: 'read' })
  } catch (error) {
    if (isReason(error, 'NotFound') && !isMissingType(error)) return undefined
    throw error
  }
}
