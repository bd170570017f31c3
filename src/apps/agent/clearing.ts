/** The slow rhythm: read what pods are and did, clear the market, and tell the API what changed. */
import { searchLeast } from '../../core/bidding/cost-search.ts'
import { type Decision, type NodePlan, planNode, sharePod } from '../../core/bidding/plan.ts'
import type { NodePod } from '../../core/bidding/pod.ts'
import { stepTowards } from '../../core/bidding/steps.ts'
import type { Mode } from '../../core/market/clear.ts'
import type { Millicores } from '../../core/units.ts'
import type { AgentNeeds, Shared } from './agent.ts'
import {
  type Charge,
  chargeOf,
  demandIn,
  isMeasured,
  limitIn,
  measuredOf,
  noTrial,
  requestIn,
  toldIn,
} from './charge.ts'
import type { Foresight } from './foresight.ts'
import type { Kernel } from './kernel.ts'
import { messages } from './messages.ts'
import { createNews } from './news.ts'
import { type MarketWriter, nodeMarketOf } from './node-market.ts'
import { nodePodOf, startedAtOf } from './pod-facts.ts'
import type { Outcome, Publisher } from './publisher.ts'
import type { Sampler } from './sampler.ts'
import type { SeenPod } from './seen-pod.ts'
import type { Teller } from './teller.ts'

type ClearingNeeds = AgentNeeds & {
  readonly shared: Shared
  readonly sampler: Sampler
  readonly kernel: Kernel | undefined
  readonly publisher: Publisher
  readonly teller: Teller
  readonly market: MarketWriter
  readonly foresight: Foresight | undefined
}

export function createClearing(needs: ClearingNeeds) {
  const { nodeName, config, clock, log, metrics, learner } = needs
  const { shared, sampler, kernel, publisher, teller, foresight } = needs
  const { charges } = shared
  const problemNews = createNews()
  const reasonNews = createNews()
  let mode: Mode | undefined

  const read = (seen: SeenPod, cpuManager: ReturnType<AgentNeeds['cpuManager']>): NodePod => {
    const { pod, uid, namespace, wishes, problems } = seen
    if (problemNews.isNew(uid, problems.join())) {
      log('warn', 'annotations ignored', { pod: nameOf(seen), problems })
    }
    const limitRanges = needs.limitRangesOf(namespace)
    const { trackedOf } = sampler
    const facts = nodePodOf(pod, { wishes, trackedOf, limitRanges, cpuManager })
    const factor = foreseen(facts) * adviceFor(facts, seen)
    const bidding = withDemand(facts, Math.max(factor, sufferingIn(facts, seen)))
    const leastCpu = config.bidding.isCostMode ? searchFor(bidding) : undefined
    const charge = charges.get(uid)
    if (charge !== undefined) charge.trial = noTrial
    return { ...bidding, leastCpu }
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
    const estimates = containers.map(({ place }) =>
      place === undefined ? 0 : (sampler.trackedOf(place.containerId)?.law?.estimateCores ?? 0),
    )
    return estimates.reduce((all, cores) => all + cores, 0) / demand
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

  /** What counts against the capacity; limits that we did not set may be above all there is. */
  const heldBy = (decision: Decision): Millicores => {
    const charge = charges.get(decision.pod.uid)
    if (charge?.isTold === true) return Math.max(toldIn(charge), charge.quota) as Millicores
    const promised = Math.max(decision.need, decision.request)
    return Math.min(limitIn(decision) ?? promised, promised) as Millicores
  }

  /** Those that came with limits above all there is: until they fit, nobody is promised more. */
  const fitRequests = (sold: Millicores, decisions: readonly Decision[]): readonly Decision[] => {
    const held = decisions.map((decision) => Math.max(decision.limit, heldBy(decision)))
    if (held.reduce((all, amount) => all + amount, 0) <= sold) return decisions
    return decisions.map((decision) => {
      const { pod, limit, mode, request } = decision
      const need = requestIn(decision)
      const share = request > need && sharePod(pod, { need, limit, mode })
      return Object.assign({}, decision, share)
    })
  }

  const tellNews = ({ unmanaged, decisions, clearing }: NodePlan): void => {
    for (const { pod, reason } of unmanaged) {
      if (reasonNews.isNew(pod.uid, reason)) {
        log('info', 'pod left alone', { pod: nameOf(pod), reason })
      }
    }
    for (const { pod } of decisions) reasonNews.isNew(pod.uid, '')
    if (mode !== clearing.mode) {
      const { price } = clearing
      log('info', messages.modeChanged, { node: nodeName, from: mode, to: clearing.mode, price })
    }
    mode = clearing.mode
  }

  const keepCharges = (decisions: readonly Decision[], pods: readonly SeenPod[]): void => {
    const present = new Map(pods.map((pod) => [pod.uid, pod]))
    const managed = new Map(decisions.map((decision) => [decision.pod.uid, decision]))
    for (const uid of charges.keys()) if (!managed.has(uid)) charges.delete(uid)
    for (const [uid, decision] of managed) {
      const charge = charges.get(uid)
      if (charge !== undefined) charge.decision = decision
      else charges.set(uid, chargeOf(decision, clock.wall()))
    }
    const uids = new Set(present.keys())
    for (const memory of [publisher, problemNews, reasonNews, kernel, learner, foresight]) {
      memory?.keepOnly(uids)
    }
  }

  const startOf = (seen: SeenPod | undefined) =>
    (seen === undefined ? undefined : startedAtOf(seen.pod)) ?? clock.wall()

  const publish = async (
    decision: Decision,
    seen: SeenPod | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const charge = charges.get(decision.pod.uid)
    if (charge === undefined || seen === undefined) return 'unchanged'
    if (isToBeAsked(charge) || publisher.isAway()) {
      const { isOverridden } = charge
      charge.isOverridden = await publisher.isOverridden(decision.pod, isOverridden, signal)
    }
    if (charge.isOverridden) return 'overridden'
    const measured = measuredOf(seen, sampler.trackedOf)
    const makeRoom = (): void => {
      if (measured !== undefined && seen.options.mode === 'auto') {
        kernel?.keepBurst({ seen, charge, measured })
      }
    }
    return teller.inTurn(charge, { decision, startedAt: startOf(seen), makeRoom }, signal)
  }

  const clear = async (signal: AbortSignal): Promise<void> => {
    const began = clock.now()
    const pods = shared.seenPods()
    const cpuManager = needs.cpuManager()
    const facts = pods.map((seen) => read(seen, cpuManager))
    const found = clock.now()
    const { allocatable, uid: nodeUid } = needs.node()
    const plan = planNode(allocatable, facts, config.bidding)
    metrics.took('discovery', (found - began) / 1000)
    metrics.took('clearing', (clock.now() - found) / 1000)
    metrics.cleared(plan)
    tellNews(plan)
    shared.sold = plan.sold
    shared.isClearingWanted = false
    shared.cleared = new Set(
      pods
        .filter(({ containers }) => isMeasured(containers, sampler.trackedOf))
        .map(({ uid }) => uid),
    )
    const seenOf = new Map(pods.map((pod) => [pod.uid, pod]))
    const decisions = fitRequests(plan.sold, stepTowards(plan, heldBy))
    keepCharges(decisions, pods)
    const outcomes = await Promise.all(
      decisions.map(async (decision) => publish(decision, seenOf.get(decision.pod.uid), signal)),
    )
    outcomes.forEach(metrics.published)
    const cleared = { nodeName, nodeUid, at: clock.wall() }
    await needs.market.write(nodeMarketOf(plan, cleared), signal)
    const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
    const told = { written: count('written'), failed: count('failed') }
    learner?.save()
    log('info', 'market cleared', { node: nodeName, ...summaryOf(plan), ...told })
  }

  return { clear }
}

/** Whether a person owns its allocation: nothing else explains that the pod has not what was told. */
const isToBeAsked = ({ isTold, isOverridden, decision, published }: Charge): boolean =>
  !isTold || isOverridden || limitIn(decision) !== published.limit.amount

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

const summaryOf = ({ allocatable, sold, clearing, decisions, unmanaged }: NodePlan) => ({
  mode: clearing.mode,
  price: clearing.price,
  allocatable,
  sold,
  managed: decisions.length,
  unmanaged: unmanaged.length,
})

const nameOf = ({
  namespace,
  name,
}: {
  readonly namespace: string
  readonly name: string
}): string => `${namespace}/${name}`
