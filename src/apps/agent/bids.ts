/** What pods bid for: their demand, as it was measured, foreseen, learnt or searched for. */
import { pods as podResource } from '../../apis/pod.ts'
import { searchLeast } from '../../core/bidding/cost-search.ts'
import { withOriginalsUpTo } from '../../core/bidding/originals.ts'
import { millicoresUp, type NodePod, type ResizeBound } from '../../core/bidding/pod.ts'
import { boundResize, type Refusal } from '../../core/bidding/resize-bound.ts'
import type { Tracked } from '../../core/demand/tracker.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import type { Millicores } from '../../core/units.ts'
import type { NodeCpus } from '../../ports/node-cpus.ts'
import { type EventRecorder, referenceTo } from '../../runtime/events.ts'
import { createMoments } from '../../runtime/moments.ts'
import type { AgentNeeds, Shared } from './agent.ts'
import { type Charge, demandIn, limitIn, noTrial } from './charge.ts'
import type { Foresight } from './foresight.ts'
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
}

type BidsNeeds = Pick<AgentNeeds, 'config' | 'clock' | 'log' | 'learner' | 'limitRangesOf'> & {
  readonly shared: Pick<Shared, 'charges'>
  readonly record: EventRecorder['record']
  readonly sampler: Pick<Sampler, 'trackedOf'>
  readonly foresight: Foresight | undefined
}

/** The reason of the event; `deploy/rbac/policy-agent.yaml` lets agents write no others. */
export const ANNOTATION_IGNORED = 'AnnotationIgnored'

export function createBids(needs: BidsNeeds): Bids {
  const { config, clock, log, learner, foresight } = needs
  const { charges } = needs.shared
  const { trackedOf } = needs.sampler
  const news = createNews()
  /** By UID: what the kubelet called infeasible. */
  const refusals = new Map<string, Refusal>()
  const deferrals = createMoments(clock)

  const read: Bids['read'] = (seen, { nodeCpus, allocatable }) => {
    const { pod, uid, namespace, wishes, problems, cuts } = seen
    const notes = [...cuts, ...problems]
    if (news.isNew(uid, notes.join('; '))) {
      log('warn', 'annotations ignored', { pod: keyOfPod(seen), notes })
      // Also on pods that take no part, perhaps because of that, and so have no PodAllocation.
      const about = referenceTo(podResource, pod)
      const message = notes.join('; ')
      needs.record({ about, type: 'Warning', reason: ANNOTATION_IGNORED, message })
    }
    const limitRanges = needs.limitRangesOf(namespace)
    const known = nodePodOf(pod, { wishes, trackedOf, limitRanges, nodeCpus })
    const facts = { ...withOriginalsUpTo(allocatable, known), ...seen.bounds, notes }
    const factor = foreseen(facts) * adviceFor(facts, seen)
    const bidding = withDemand(facts, Math.max(factor, sufferingIn(facts, seen)))
    const leastCpu = config.bidding.isCostMode ? searchFor(bidding) : undefined
    const charge = charges.get(uid)
    if (charge !== undefined) charge.trial = noTrial
    const aimedCores = hasOwnTarget(seen)
      ? sumOver(seen.containers, (tracked) => tracked.law?.quotaCores)
      : undefined
    const usual = usualOf(bidding, seen)
    return { ...bidding, aimedCores, usual, leastCpu, bound: boundOf(seen, allocatable) }
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

  /** By how much demand will have grown until the next clearing. */
  const foreseen = (facts: NodePod): number => {
    const demand = demandIn(facts)
    return demand > 0 ? (foresight?.foretell(facts.uid, demand) ?? demand) / demand : 1
  }

  /** Who suffers bids for what throttling tells, not for the mean that follows it. */
  const sufferingIn = (facts: NodePod, { uid, containers }: SeenPod): number => {
    const demand = demandIn(facts)
    if (charges.get(uid)?.badSince === undefined || demand === 0) return 1
    return sumOver(containers, (tracked) => tracked.law?.estimateCores) / demand
  }

  const sumOver = (
    containers: SeenPod['containers'],
    coresOf: (tracked: Tracked) => number | undefined,
  ): number =>
    containers.reduce((all, { place }) => {
      const tracked = place && trackedOf(place.containerId)
      return all + ((tracked && coresOf(tracked)) ?? 0)
    }, 0)

  /** Who has no limit has only its request to stand by when CPU is short: that is its need. */
  const usualOf = (facts: NodePod, { containers }: SeenPod): Millicores | undefined => {
    if (facts.containers.some(({ limit }) => limit === undefined)) return undefined
    const used = sumOver(containers, (tracked) => tracked.usualCores)
    return millicoresUp(Math.min(used, demandIn(facts)) * (1 + config.bidding.headroomRatio))
  }

  const adviceFor = (facts: NodePod, { options }: SeenPod): number => {
    const { uid } = facts
    const charge = charges.get(uid)
    const limit = charge && limitIn(charge.decision)
    if (learner === undefined || charge === undefined || limit === undefined) return 1
    const situation = {
      demandCores: demandIn(facts),
      allocationCores: limit / 1000,
      throttledRatio: throttledRatioOf(charge),
      latencyRatio: charge.lastGuard?.verdict.slowRatio,
    }
    const { blocked } = charge.lastGuard ?? {}
    return learner.advise({ uid, situation, acts: options.learns, blocked }).factor
  }

  /** What the cost mode bids; undefined until the pod has run under some quota. */
  const searchFor = (facts: NodePod): Millicores | undefined => {
    const charge = charges.get(facts.uid)
    const granted = charge?.trial.quota
    if (charge === undefined || granted === undefined) return charge?.search?.amount
    const { decision, lastGuard } = charge
    charge.search = searchLeast(
      charge.search,
      {
        at: clock.now(),
        demandCores: demandIn(facts),
        granted,
        throttledRatio: throttledRatioOf(charge),
        isTooSlow: lastGuard?.verdict.isSlow ?? false,
        floor: decision.bid.floor,
        ceiling: decision.bid.ceiling,
      },
      config.cost,
    )
    return charge.search.amount
  }

  const keepOnly: Bids['keepOnly'] = (uids) => {
    news.keepOnly(uids)
    deferrals.keepOnly(uids)
    for (const uid of refusals.keys()) if (!uids.has(uid)) refusals.delete(uid)
  }

  return { read, keepOnly }
}

const throttledRatioOf = ({ trial }: Charge): number =>
  trial.throttledPeriods / Math.max(1, trial.periods)

function withDemand(pod: NodePod, factor: number): NodePod {
  if (factor === 1) return pod
  const containers = pod.containers.map((container) => {
    const { demandCores } = container
    if (demandCores === undefined) return container
    return Object.assign({}, container, { demandCores: demandCores * factor })
  })
  return { ...pod, containers }
}
