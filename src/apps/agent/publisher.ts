/** Writes decisions as PodAllocations: only what changed, and nothing that a person owns. */
import { overrideAnnotation } from '../../apis/names.ts'
import {
  type PodAllocation,
  podAllocations,
  type PodAllocationSpec,
} from '../../apis/pod-allocation.ts'
import type { Decision } from '../../core/bidding/plan.ts'
import { isMissingType, isReason, type Kube } from '../../ports/kube.ts'
import type { Log } from '../../ports/log.ts'
import { allocationOf, applyOf, isWorthWriting } from './allocation.ts'

export type Outcome = 'written' | 'unchanged' | 'overridden' | 'failed'

export type Publisher = {
  /** Never throws: what fails is tried again by the next clearing. */
  readonly publish: (decision: Decision, signal: AbortSignal) => Promise<Outcome>
  /** Forgets the pods that are gone. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

type PublisherNeeds = { readonly kube: Kube; readonly nodeName: string; readonly log: Log }

export function createPublisher({ kube, nodeName, log }: PublisherNeeds): Publisher {
  /** By UID of the pod: what stands in the API as far as we know. */
  const known = new Map<string, PodAllocationSpec>()

  const write = async (decision: Decision, signal: AbortSignal): Promise<Outcome> => {
    const { uid, namespace, name } = decision.pod
    const before = known.get(uid)
    if (before !== undefined && !isWorthWriting(before, decision)) return 'unchanged'
    const current = await find(kube, { namespace, name }, signal)
    if (current?.metadata.annotations?.[overrideAnnotation] === 'true') return 'overridden'
    if (current !== undefined && !isWorthWriting(current.spec, decision)) {
      known.set(uid, current.spec)
      return 'unchanged'
    }
    const allocation = allocationOf(decision, nodeName)
    const place = { namespace, name }
    await kube.patch(podAllocations, place, applyOf(allocation), { signal, purpose: 'write' })
    known.set(uid, allocation.spec)
    return 'written'
  }

  const publish: Publisher['publish'] = async (decision, signal) => {
    const { pod, request, limit, need, reason } = decision
    const fields = { pod: `${pod.namespace}/${pod.name}`, request, limit, need, reason }
    try {
      const outcome = await write(decision, signal)
      if (outcome === 'written') log('info', 'allocation published', fields)
      else log('debug', `allocation ${outcome}`, fields)
      return outcome
    } catch (error) {
      known.delete(pod.uid) // it may have been written all the same
      if (!signal.aborted) log('error', 'publishing allocation', { ...fields, error })
      return 'failed'
    }
  }

  const keepOnly: Publisher['keepOnly'] = (uids) => {
    for (const uid of known.keys()) if (!uids.has(uid)) known.delete(uid)
  }

  return { publish, keepOnly }
}

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
