/** The slow rhythm: read what pods are and did, clear the market, and tell the API what changed. */
import { type Decision, type NodePlan, planNode } from '../../core/bidding/plan.ts'
import { promisedTo } from '../../core/bidding/unmanaged.ts'
import { poolOf } from '../../core/cpu/node-cpus.ts'
import type { Mode } from '../../core/market/clear.ts'
import { keyOfPod } from '../../core/pod-name.ts'
import { type Millicores, type Millis, millicores } from '../../core/units.ts'
import type { AgentNeeds, Shared } from './agent.ts'
import type { Bids } from './bids.ts'
import {
  adopt,
  type Charge,
  chargeOf,
  isMeasured,
  isMovable,
  limitIn,
  requestIn,
} from './charge.ts'
import { fewAtOnce } from './few-at-once.ts'
import { type ChangeLog, highlightsOf } from './highlights.ts'
import type { IdleCpu } from './idle-cpu.ts'
import type { Kernel } from './kernel.ts'
import type { Leftovers } from './leftovers.ts'
import { messages } from './messages.ts'
import type { MisalignmentWatch } from './misalignment.ts'
import { createNews } from './news.ts'
import { type MarketWriter, nodeFactsOf, nodeMarketOf } from './node-market.ts'
import type { Outcome, Publisher } from './publisher.ts'
import type { Sampler } from './sampler.ts'
import type { SeenPod } from './seen-pod.ts'
import { marketViewOf } from './state.ts'
import type { Teller } from './teller.ts'

type ClearingNeeds = AgentNeeds & {
  readonly shared: Shared
  readonly sampler: Sampler
  readonly kernel: Kernel | undefined
  readonly idleCpu: IdleCpu
  readonly publisher: Publisher
  readonly teller: Teller
  readonly writeMarket: MarketWriter
  readonly misalignment: MisalignmentWatch
  readonly bids: Bids
  readonly leftovers: Leftovers
  readonly changes: ChangeLog
}

export function createClearing(needs: ClearingNeeds) {
  const { nodeName, config, clock, log, metrics } = needs
  const { shared, sampler, kernel, idleCpu, publisher, teller, bids, leftovers } = needs
  const { charges } = shared
  const reasonNews = createNews()
  let mode: Mode | undefined

  const tellNews = ({ unmanaged, decisions, clearing, mode: to }: NodePlan): void => {
    for (const { pod, reason } of unmanaged) {
      if (reasonNews.isNew(pod.uid, reason)) {
        log('info', 'pod left alone', { pod: keyOfPod(pod), reason })
      }
    }
    for (const { pod } of decisions) reasonNews.isNew(pod.uid, '')
    if (mode !== to) {
      const { price } = clearing
      log('info', messages.modeChanged, { node: nodeName, from: mode, to, price })
    }
    mode = to
  }

  /**
   * An agent before us may have told who comes, and a person may own what stands there, or have given
   * it back. What cannot be known stays as it was.
   */
  const askAbout = async (decision: Decision, signal: AbortSignal): Promise<void> => {
    const { pod } = decision
    const charge = charges.get(pod.uid)
    const now = { at: clock.now(), has: hasIn(decision) }
    if (charge === undefined) return
    if (!isToBeAsked(charge, decision, now) && !publisher.isAway()) return
    const standing = await publisher.standingOf(pod, signal)
    if (standing === undefined) return
    const { isOverridden, told, isExplained } = standing
    const isOthers = charge.isOverridden || !charge.isTold
    Object.assign(charge, { isOverridden, asked: now })
    if (isOthers && isExplained && told !== undefined) adopt(charge, told, clock.now())
  }

  /**
   * A pod that is being ended takes no part any more, and keeps its ceiling as long as it runs. By right
   * it has what its request is by then, like all that take no part: who is ended slowly keeps nothing
   * that was sold again.
   */
  const keepCharges = ({ decisions, unmanaged }: NodePlan, pods: readonly SeenPod[]): void => {
    const managed = new Map(decisions.map((decision) => [decision.pod.uid, decision]))
    const ending = new Map(
      unmanaged.flatMap(({ pod }) =>
        pod.phase === 'terminating' ? [[pod.uid, promisedTo(pod)] as const] : [],
      ),
    )
    for (const [uid, charge] of charges) {
      const decision = managed.get(uid)
      const requested = ending.get(uid)
      if (decision !== undefined) charge.decision = decision
      else if (requested === undefined) charges.delete(uid)
      else {
        const own = Math.min(requested, charge.decision.entitled) as Millicores
        charge.decision = { ...charge.decision, entitled: own, secured: own, given: own }
      }
    }
    const uids = new Set(pods.map(({ uid }) => uid))
    const memories = [shared.starts, publisher, bids, reasonNews, kernel, leftovers]
    for (const memory of memories) memory?.keepOnly(uids)
  }

  const isEnforced = (seen: SeenPod): boolean => isMovable(seen, charges.get(seen.uid))

  const publish = async (
    decision: Decision,
    seen: SeenPod | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const charge = charges.get(decision.pod.uid)
    if (charge === undefined || seen === undefined) return 'unchanged'
    if (charge.isOverridden) return 'overridden'
    return teller.inTurn(charge, { decision, startedAt: shared.starts.of(seen) }, signal)
  }

  /** What was decided then is of no use now: the market is cleared again, on what is known by then. */
  const putOff = (began: Millis): void => {
    shared.isClearingWanted = true
    const seconds = Math.round((clock.now() - began) / 1000)
    log('warn', 'plan outdated', {
      node: nodeName,
      seconds,
      remedy: 'is the API server slow, or the agent short of CPU?',
    })
  }

  const clear = async (signal: AbortSignal): Promise<void> => {
    const began = clock.now()
    const at = clock.wall()
    const isOutdated = (): boolean => clock.now() - began >= LONGEST_PLAN_MILLIS
    const pods = shared.seenPods()
    const nodeCpus = needs.nodeCpus()
    const pool = nodeCpus && poolOf(nodeCpus)
    const { allocatable, uid: nodeUid, enforcement } = needs.node()
    const bidding = pods.map((seen) => bids.read(seen, { nodeCpus, allocatable, enforcement }))
    const found = clock.now()
    const capacity = {
      allocatable,
      pool: pool && millicores(pool.length * 1000),
      hasIdleCpu: idleCpu.hasIdleCpu(),
      isByRequests: kernel === undefined || kernel.whyReadOnly() !== undefined,
    }
    const plan = planNode(capacity, bidding, {
      ...config.bidding,
      enforcement: enforcement ?? config.bidding.enforcement,
    })
    metrics.took('discovery', (found - began) / 1000)
    metrics.took('clearing', (clock.now() - found) / 1000)
    metrics.cleared(plan)
    tellNews(plan)
    shared.isClearingWanted = false
    shared.market = marketViewOf(plan, at)
    shared.leftAlone = new Map(plan.unmanaged.map(({ pod, reason }) => [pod.uid, reason]))
    shared.cleared = new Set(
      pods
        .filter(({ containers }) => isMeasured(containers, sampler.trackedOf))
        .map(({ uid }) => uid),
    )
    const seenOf = new Map(pods.map((pod) => [pod.uid, pod]))
    for (const decision of plan.decisions) {
      const { uid } = decision.pod
      if (!charges.has(uid)) charges.set(uid, chargeOf(decision, clock.now()))
    }
    await fewAtOnce(plan.decisions, async (decision) => askAbout(decision, signal))
    if (isOutdated()) return putOff(began)
    keepCharges(plan, pods)
    metrics.byRequests(capacity.isByRequests ? pods.filter(isEnforced).length : 0)
    await leftovers.undo(pods, signal)
    const outcomes = await fewAtOnce(plan.decisions, async (decision) =>
      isOutdated() ? 'outdated' : publish(decision, seenOf.get(decision.pod.uid), signal),
    )
    outcomes.forEach(metrics.published)
    if (outcomes.includes('outdated')) return putOff(began)
    needs.misalignment.look(nodeCpus, pods)
    const { driver } = needs.cgroups
    const facts = nodeFactsOf({ driver, nodeCpus, agentPort: needs.agentPort() })
    const highlights = highlightsOf(charges.values(), needs.changes)
    const cleared = { nodeName, nodeUid, at, facts, highlights }
    await needs.writeMarket(nodeMarketOf(plan, cleared), signal)
    const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
    const told = { written: count('written'), failed: count('failed') }
    log('info', 'market cleared', { node: nodeName, ...summaryOf(plan), ...told })
  }

  return { clear }
}

/** By its spec: a limit or, where there is none, a request. */
const hasIn = (decision: Decision): Millicores => limitIn(decision) ?? requestIn(decision)

/** Under the systemd driver the controller rounds limits up to whole steps of so many millicores. */
const LIMIT_STEP = 10
/** Demand is another by then, and so is who runs here; the next clearing would come soon anyway. */
const LONGEST_PLAN_MILLIS = 10_000
const ASK_AGAIN_MILLIS = 300_000

/**
 * Whether a person may own its allocation: that its spec was changed to what was not told says so, and
 * that it never comes to what was told may.
 */
function isToBeAsked(
  { isOverridden, published, asked }: Charge,
  decision: Decision,
  { at, has }: NonNullable<Charge['asked']>,
): boolean {
  if (isOverridden || asked === undefined) return true
  const { limit, request } = published
  const told = limitIn(decision) === undefined ? request.amount : limit.amount
  const isCarriedOut = has >= told && has - told < LIMIT_STEP * decision.pod.containers.length
  return !isCarriedOut && (has !== asked.has || at - asked.at >= ASK_AGAIN_MILLIS)
}

const summaryOf = ({ allocatable, mode, sold, clearing, decisions, unmanaged }: NodePlan) => ({
  mode,
  price: clearing.price,
  allocatable,
  sold,
  managed: decisions.length,
  unmanaged: unmanaged.length,
})
