/** What pods bid for: their demand, as it was measured. */
import { pods as podResource } from '../../apis/pod.ts'
import { withOriginalsUpTo } from '../../core/bidding/originals.ts'
import { millicoresUp, type NodePod, type ResizeBound } from '../../core/bidding/pod.ts'
import { boundResize, type Refusal } from '../../core/bidding/resize-bound.ts'
import { requestedBy } from '../../core/bidding/weights.ts'
import type { Tracked } from '../../core/demand/tracker.ts'
import type { Enforcement } from '../../core/enforcement/enforcements.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import type { Millicores } from '../../core/units.ts'
import type { NodeCpus } from '../../ports/node-cpus.ts'
import { type EventRecorder, referenceTo } from '../../runtime/events.ts'
import { createMoments } from '../../runtime/moments.ts'
import type { AgentNeeds, Shared } from './agent.ts'
import { demandIn, suffers } from './charge.ts'
import { createNews } from './news.ts'
import { nodePodOf, pendingResizeOf } from './pod-facts.ts'
import type { Sampler } from './sampler.ts'
import { hasOwnTarget, type SeenPod } from './seen-pod.ts'

export type Bids = {
  /** Once a clearing: what it tells is of the time since the last. */
  readonly read: (seen: SeenPod, around: Around) => NodePod
  /** Forgets the pods that are gone. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

export type Around = {
  readonly nodeCpus: NodeCpus | undefined
  /** Of the node. */
  readonly allocatable: Millicores
  /** Chosen for the node; undefined: as the agent is configured. */
  readonly enforcement: Enforcement | undefined
}

type BidsNeeds = Pick<AgentNeeds, 'config' | 'clock' | 'log'> & {
  readonly shared: Pick<Shared, 'charges'>
  readonly record: EventRecorder['record']
  readonly sampler: Pick<Sampler, 'trackedOf'>
}

/** The reason of the event; `deploy/rbac/policy-agent.yaml` lets agents write no others. */
export const ANNOTATION_IGNORED = 'AnnotationIgnored'

/** So long a target that was missed keeps what it needed promised. */
const SHORT_MILLIS = 600_000
/** Of a mean over ten minutes, before a request as written counts as too low: a tide may just be high. */
const KNOWN_SECONDS = 300
/** Of the request: pods of one workload differ by as much, and a request that covers their mean is right. */
const BEYOND_RATIO = 1.1

export function createBids(needs: BidsNeeds): Bids {
  const { config, clock, log } = needs
  const { charges } = needs.shared
  const { trackedOf } = needs.sampler
  const news = createNews()
  /** By UID: what the kubelet called infeasible. */
  const refusals = new Map<string, Refusal>()
  const deferrals = createMoments(clock)

  const read: Bids['read'] = (seen, around) => {
    const { nodeCpus, allocatable } = around
    const { pod, uid, wishes, problems, cuts, range } = seen
    const notes = [...cuts, ...problems]
    if (news.isNew(uid, notes.join('; '))) {
      log('warn', 'annotations ignored', { pod: keyOfPod(seen), notes })
      // Also on pods that take no part, perhaps because of that, and so have no PodAllocation.
      const about = referenceTo(podResource, pod)
      const message = notes.join('; ')
      needs.record({ about, type: 'Warning', reason: ANNOTATION_IGNORED, message })
    }
    const seenNow = nodePodOf(pod, { wishes, trackedOf, range, nodeCpus })
    const known = withStopped(seenNow, (name) => charges.has(uid) || isDown(seen, name))
    const facts = { ...withOriginalsUpTo(allocatable, known), ...seen.bounds, notes }
    const bidding = withDemand(facts, Math.max(1, sufferingIn(facts, seen)))
    const readyCores = hasOwnTarget(seen)
      ? sumOver(seen.containers, (tracked) => tracked.ready?.value)
      : undefined
    return {
      ...bidding,
      readyCores,
      enforcement: seen.options.enforcement ?? around.enforcement,
      usual: usualOf(bidding, seen),
      isShort: isShort(bidding, seen),
      bound: boundOf(seen, allocatable),
    }
  }

  const boundOf = (seen: SeenPod, allocatable: Millicores): ResizeBound | undefined => {
    const { pod, uid, wishes, containers } = seen
    const pending = pendingResizeOf(pod)
    const before = refusals.get(uid)
    if (pending === undefined && before === undefined) return undefined
    const ids = containers.map(({ place }) => place?.containerId)
    const circumstances = JSON.stringify([allocatable, ids, wishes])
    const { bound, refusal } = boundResize(before, {
      at: clock.now(),
      pending: pending && { ...pending, since: deferrals.of(uid, pending.since) },
      circumstances,
    })
    if (refusal !== undefined) refusals.set(uid, refusal)
    return bound
  }

  /** Who suffers bids for what waiting tells, not for the mean that follows it. */
  const sufferingIn = (facts: NodePod, { uid, containers }: SeenPod): number => {
    const demand = demandIn(facts)
    if (charges.get(uid)?.standing.badSince === undefined || demand === 0) return 1
    return sumOver(containers, (tracked) => tracked.level?.estimate) / demand
  }

  /** What it requested was not enough for its target, not long ago, and is clearly less than it uses on average. */
  const isShort = (facts: NodePod, seen: SeenPod): boolean => {
    const { shortAt = -Infinity } = charges.get(seen.uid)?.standing ?? {}
    if (!hasOwnTarget(seen) || clock.now() - shortAt >= SHORT_MILLIS) return false
    const isKnown = seen.containers.every(({ place }) => {
      const { tenMinutes } = (place && trackedOf(place.containerId)) ?? {}
      return (tenMinutes?.seconds ?? 0) >= KNOWN_SECONDS
    })
    return isKnown && 1000 * usedIn(seen, 'tenMinutes') > BEYOND_RATIO * requestedBy(facts)
  }

  const usedIn = ({ containers }: SeenPod, mean: 'minute' | 'tenMinutes'): number =>
    sumOver(containers, (tracked) => tracked[mean]?.value)

  const sumOver = (
    containers: SeenPod['containers'],
    coresOf: (tracked: Tracked) => number | undefined,
  ): number =>
    containers.reduce((all, { place }) => {
      const tracked = place && trackedOf(place.containerId)
      return all + ((tracked && coresOf(tracked)) ?? 0)
    }, 0)

  /**
   * A lull of less than ten minutes takes nothing away that its next burst needs. And who suffers uses
   * what others leave, which is no reason to request less.
   */
  const usualOf = ({ containers }: NodePod, seen: SeenPod): Millicores => {
    const used = Math.max(usedIn(seen, 'minute'), usedIn(seen, 'tenMinutes'))
    const usual = millicoresUp(used * (1 + config.bidding.headroomRatio))
    const charge = charges.get(seen.uid)
    if (charge === undefined || !suffers(charge)) return usual
    const requested = containers.reduce((sum, { request = 0 }) => sum + request, 0)
    return Math.max(usual, requested) as Millicores
  }

  const keepOnly: Bids['keepOnly'] = (uids) => {
    news.keepOnly(uids)
    deferrals.keepOnly(uids)
    for (const uid of refusals.keys()) if (!uids.has(uid)) refusals.delete(uid)
  }

  return { read, keepOnly }
}

const isDown = ({ containers }: SeenPod, name: string): boolean =>
  containers.find((one) => one.name === name)?.place === undefined

/**
 * A container that is down uses nothing, and does not keep its pod out of the market; nor does one that
 * has just come back put a pod out of it that was in it.
 */
function withStopped(pod: NodePod, usesNothing: (name: string) => boolean): NodePod {
  const isStopped = ({ name, demandCores }: NodePod['containers'][number]): boolean =>
    demandCores === undefined && usesNothing(name)
  if (!pod.containers.some(isStopped)) return pod
  const containers = pod.containers.map((container) =>
    isStopped(container)
      ? Object.assign({}, container, { demandCores: 0, usageCores: 0 })
      : container,
  )
  return { ...pod, containers }
}

function withDemand(pod: NodePod, factor: number): NodePod {
  if (factor === 1) return pod
  const containers = pod.containers.map((container) => {
    const { demandCores } = container
    if (demandCores === undefined) return container
    return Object.assign({}, container, { demandCores: demandCores * factor })
  })
  return { ...pod, containers }
}
