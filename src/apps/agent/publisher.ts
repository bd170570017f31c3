import { overrideAnnotation } from '../../apis/names.ts'
import {
  type PodAllocation,
  podAllocations,
  type PodAllocationSpec,
} from '../../apis/pod-allocation.ts'
import type { Decision } from '../../core/bidding/plan.ts'
import type { NodePod } from '../../core/bidding/pod.ts'
/** Writes decisions as PodAllocations: only what changed, and nothing that a person owns. */
import { keyOfPod } from '../../core/pod-name.ts'
import { isMissingType, isReason, type Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import { allocationOf, amountsIn, applyOf, isOtherSpec, type ToldAmounts } from './allocation.ts'
import { demandIn } from './charge.ts'
import { messages } from './messages.ts'

export type Outcome = 'written' | 'unchanged' | 'overridden' | 'under way' | 'failed'

export type Publication = {
  readonly decision: Decision
  readonly urgency: PodAllocationSpec['urgency']
}

export type Publisher = {
  /** Never throws: what fails is tried again by who asked. */
  readonly publish: (publication: Publication, signal: AbortSignal) => Promise<Outcome>
  /** What the API has for a pod; undefined where that cannot be known. */
  readonly standingOf: (
    pod: Pick<NodePod, 'uid' | 'namespace' | 'name'>,
    signal: AbortSignal,
  ) => Promise<Standing | undefined>
  /** What stands in the API by container, as far as we know. */
  readonly limitsOf: (uid: string) => ToldAmounts['limits'] | undefined
  /** The API did not take what was last written. */
  readonly isAway: () => boolean
  /** Forgets the pods that are gone. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

export type Standing = {
  /** By a person. */
  readonly isOverridden: boolean
  /** By an agent, of this very pod. */
  readonly told: ToldAmounts | undefined
}

type PublisherNeeds = { readonly kube: Kube; readonly nodeName: string; readonly log: Log }

export function createPublisher({ kube, nodeName, log }: PublisherNeeds): Publisher {
  /** By UID of the pod: what stands in the API as far as we know. */
  const known = new Map<string, PodAllocationSpec>()
  let isAway = false

  const write = async (publication: Publication, signal: AbortSignal): Promise<Outcome> => {
    const { decision } = publication
    const { uid, namespace, name } = decision.pod
    const before = known.get(uid)
    if (before !== undefined && !isOtherSpec(before, decision)) return 'unchanged'
    const current = await find(kube, { namespace, name }, signal)
    if (isPersons(current)) {
      known.delete(uid)
      return 'overridden'
    }
    if (current !== undefined && !isOtherSpec(current.spec, decision)) {
      known.set(uid, current.spec)
      return 'unchanged'
    }
    const allocation = allocationOf(publication, nodeName)
    const place = { namespace, name }
    await kube.patch(podAllocations, place, applyOf(allocation), { signal, purpose: 'write' })
    known.set(uid, allocation.spec)
    return 'written'
  }

  const publish: Publisher['publish'] = async (publication, signal) => {
    const { pod, request, limit, need, reason } = publication.decision
    const fields = { pod: keyOfPod(pod), request, limit, need, reason }
    try {
      const outcome = await write(publication, signal)
      isAway = false
      if (outcome === 'written')
        log('info', messages.decision, { ...fields, demand: demandIn(pod) })
      else log('debug', `allocation ${outcome}`, fields)
      return outcome
    } catch (error) {
      known.delete(pod.uid) // it may have been written all the same
      isAway = true
      if (!signal.aborted) log('error', 'publishing allocation', { ...fields, error })
      return 'failed'
    }
  }

  const standingOf: Publisher['standingOf'] = async ({ uid, namespace, name }, signal) => {
    try {
      const current = await find(kube, { namespace, name }, signal)
      isAway = false
      const isOverridden = isPersons(current)
      if (isOverridden) known.delete(uid) // what stands there is no longer what we wrote
      const isTold = !isOverridden && current?.spec.podUID === uid
      return { isOverridden, told: isTold ? amountsIn(current.spec) : undefined }
    } catch {
      isAway = true
      return undefined
    }
  }

  const keepOnly: Publisher['keepOnly'] = (uids) => {
    for (const uid of known.keys()) if (!uids.has(uid)) known.delete(uid)
  }

  const limitsOf: Publisher['limitsOf'] = (uid) => {
    const spec = known.get(uid)
    return spec && amountsIn(spec).limits
  }

  return { publish, standingOf, limitsOf, isAway: () => isAway, keepOnly }
}

const isPersons = (allocation: PodAllocation | undefined): boolean =>
  allocation?.metadata.annotations?.[overrideAnnotation] === 'true'

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
