/**
 * The decision of one node: what there is, who bids, what each gets, and why.
 *
 * What there is, supply.ts says. The clearing gives each pod an amount, at least what it needs of its
 * entitlement.
 *
 * Elastic: the amount, or the entitlement if that is more, becomes a kernel weight
 * (core/enforcement). The limit is no part of sharing and stays as it was written: the agent lifts the
 * quota in the kernel to the ceiling that a person set, or to the whole node, since throttling beside
 * idle CPU helps nobody.
 * Strict: the limit is the share. Together limits do not exceed what is sold, which leaves a reserve;
 * what nobody needs is shared as head-room by weight up to the ceilings, but not in cost mode.
 * The request is what is promised (promise.ts), below the limit, so that a pod stays Burstable; a
 * Guaranteed pod has one value for both. A container without a limit gets none.
 * Where the floors that owners set come to more than is sold, the node is overloaded: entitlements are
 * made to fit and shared as ever, so that the mode of the clearing says nothing of it.
 *
 *   1000m there     needs         given         limits        requests, where all requested 500m
 *   elastic, short  800m, 800m    500m, 500m    as written    500m, 500m
 *   elastic         460m, 100m    460m, 100m    as written    460m, 100m
 *   strict, short   800m, 800m    500m, 500m    500m, 500m    475m, 475m
 *   strict          460m, 100m    460m, 100m    680m, 320m    460m, 100m
 */
import type { Enforcement } from '../enforcement/enforcements.ts'
import { type Bid, countedNeed } from '../market/bid.ts'
import type { Clearing, Mode } from '../market/clear.ts'
import { type Millicores, minus, sum } from '../units.ts'
import {
  bidOf,
  ceilingByHandOf,
  ceilingCutOf,
  floorAboveCeilingOf,
  floorByHandOf,
  isStrict,
} from './bid-of-pod.ts'
import { clearPods, type Outcome, type PodsMarket } from './clear-pods.ts'
import { smallestLimit, smallestOf } from './container-shares.ts'
import { entitlementsOf, floorCutOf } from './entitlement.ts'
import { type PodShares, shareElastic, shareStrict, strictLimitsOf } from './limits.ts'
import { nashProductLog } from './nash-product.ts'
import { millicoresUp, type NodePod } from './pod.ts'
import { fitPromises, promiseOf } from './promise.ts'
import { elasticReason, oversoldReason, strictReason } from './reasons.ts'
import { type BiddingRules, biddingRules } from './rules.ts'
import {
  type NodeCapacity,
  type Question,
  type Supply,
  supplyOf,
  type Unmanaged,
} from './supply.ts'
import { heldBy, whyUnmanaged } from './unmanaged.ts'
import { weighPods } from './weights.ts'

export type Decision = PodShares & {
  readonly pod: NodePod
  readonly enforcement: Enforcement
  readonly bid: Bid<Millicores>
  readonly mode: Mode
  /** Within floor and ceiling. */
  readonly need: Millicores
  /** What is its own, as far as the node has it and its ceiling lets it. */
  readonly entitled: Millicores
  /** By the market; at least what it needs of its entitlement. */
  readonly given: Millicores
  /**
   * What no neighbour takes: the entitlement, and of a strict pod also what was sold to it, as far as
   * everybody's entitlements leave room for it.
   */
  readonly secured: Millicores
  /** Of a full node, all that is allocatable: what it gets while all want more. */
  readonly shareRatio: number
  /** Set by a person; undefined where nobody did. */
  readonly ceilingByHand: Millicores | undefined
  /** What its request may be. */
  readonly promise: Millicores
  /** Null where the market has none. */
  readonly price: number | null
  readonly reason: string
  /** Which words of its owner do not count as written, and why. */
  readonly notes: readonly string[]
}

const NOTHING = 0 as Millicores

export type NodePlan = Supply & {
  readonly allocatable: Millicores
  /** That of the clearing, or overloaded where the floors that owners set do not fit. */
  readonly mode: Mode
  /** Of the bids; those of a coalition are one. */
  readonly clearing: Clearing<Millicores>
  /** Absent where some bid got nothing above its floor. */
  readonly nashProductLog?: number
  readonly decisions: readonly Decision[]
  readonly unmanaged: readonly Unmanaged[]
}

export function planNode(
  capacity: NodeCapacity,
  pods: readonly NodePod[],
  rules: BiddingRules = biddingRules,
): NodePlan {
  const managed: NodePod[] = []
  const unmanaged: Unmanaged[] = []
  for (const pod of pods.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))) {
    const reason = whyUnmanaged(pod, rules)
    if (reason === undefined) managed.push(pod)
    else unmanaged.push({ pod, reason, held: heldBy(pod) })
  }
  return planManaged({ capacity, managed, unmanaged, rules })
}

/** Strict pods that would get less than the kernel can enforce keep what they have; the rest clears again. */
function planManaged(question: Question): NodePlan {
  const { capacity, managed, unmanaged, rules } = question
  const supply = supplyOf(question)
  const sold = { sold: supply.sold, entitlements: entitlementsOf(managed, supply.sold) }
  const market = clearMarketOf(question, sold)
  const tooSmall = market.outcomes.filter(
    ({ pod, given }) => isStrict(pod, rules) && given < smallestOf(pod),
  )
  if (tooSmall.length > 0) {
    const small = new Set(tooSmall.map(({ pod }) => pod))
    const more = tooSmall.map(({ pod, reason }): Unmanaged => {
      const why = `keeps what it has: it ${reason}, and a container's limit is at least ${smallestLimit(pod)}m`
      return { pod, reason: why, held: heldBy(pod) }
    })
    const left = managed.filter((pod) => !small.has(pod))
    return planManaged({ capacity, managed: left, unmanaged: [...unmanaged, ...more], rules })
  }
  const { clearing, bids } = market
  const floors = sum(managed.map((pod) => floorByHandOf(pod, rules)))
  const mode = floors > supply.sold ? 'overloaded' : clearing.mode
  const decisions = decideAll(market, { ...question, ...sold, mode, floors })
  const { allocatable } = capacity
  const plan = { allocatable, mode, ...supply, clearing, decisions, unmanaged }
  const product = nashProductLog(clearing, bids)
  return product === undefined ? plan : { ...plan, nashProductLog: product }
}

/** What is said of the node. */
type Told = {
  readonly mode: Mode
  /** As their owners set them, together. */
  readonly floors: Millicores
}

type Sold = {
  readonly sold: Millicores
  /** By UID. */
  readonly entitlements: ReadonlyMap<string, Millicores>
}

/**
 * Where needs do not fit although CPU is idle, they were remembered: what is used now is needed. It fits
 * into what pods that take no part were promised and leave, so that nobody is short. Strict shares must
 * not be sold twice.
 */
function clearMarketOf(
  { managed, capacity, rules }: Question,
  { sold, entitlements }: Sold,
): PodsMarket {
  const weights = weighPods(managed)
  const clearWith = (isIdle: boolean): PodsMarket => {
    const bidders = managed.map((pod) => {
      const weight = weights.get(pod.uid) ?? 1
      const entitled = entitlements.get(pod.uid) ?? (0 as Millicores)
      return { pod, bid: bidOf(pod, { capacity: sold, entitled, weight, rules, isIdle }) }
    })
    const lends = isIdle && !managed.some((pod) => isStrict(pod, rules))
    const needs = bidders.reduce((sum, { bid }) => sum + countedNeed(bid), 0)
    return clearPods(lends ? (Math.max(sold, needs) as Millicores) : sold, bidders, rules)
  }
  const market = clearWith(false)
  const isRemembered = capacity.hasIdleCpu === true && market.clearing.mode !== 'uncongested'
  return isRemembered ? clearWith(true) : market
}

function decideAll(market: PodsMarket, around: Question & Sold & Told): Decision[] {
  const { outcomes, clearing } = market
  const limits = strictLimitsOf(market, around.rules)
  const entitled = outcomes.map(({ pod, bid }) => {
    return Math.min(around.entitlements.get(pod.uid) ?? 0, bid.ceiling) as Millicores
  })
  const weights = outcomes.map(({ given }, i) => Math.max(given, entitled[i] ?? 0))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  // What is sold is shared by weight; the rest of the node is not theirs.
  const soldRatio = around.sold / Math.max(1, around.capacity.allocatable)
  const targeted = new Set(
    outcomes.flatMap(({ pod }) =>
      hasTarget(pod) && !isStrict(pod, around.rules) ? [pod.namespace] : [],
    ),
  )
  const promises = promiseAll(outcomes, { ...around, entitled, limits })
  const secured = secureAll(outcomes, { ...around, entitled })
  return outcomes
    .map((outcome, i) =>
      decide(outcome, {
        ...around,
        clearing,
        entitled: entitled[i] ?? NOTHING,
        secured: secured[i] ?? NOTHING,
        limit: limits[i] ?? outcome.given,
        promise: promises[i] ?? NOTHING,
        yields: targeted.has(outcome.pod.namespace) && !hasTarget(outcome.pod),
        shareRatio: (soldRatio * (weights[i] ?? 0)) / Math.max(1, all, around.sold),
      }),
    )
    .toSorted((a, b) => (a.pod.uid < b.pod.uid ? -1 : 1))
}

const hasTarget = ({ readyCores }: NodePod): boolean => readyCores !== undefined

/** Whoever sleeps beside a strict pod has what it requested the moment that it wakes. */
function secureAll(
  outcomes: readonly Outcome[],
  { entitled: all, rules, sold }: Question & Sold & { readonly entitled: readonly Millicores[] },
): Millicores[] {
  const beyond = outcomes.map(({ pod, given }, i) =>
    isStrict(pod, rules) ? Math.max(0, given - (all[i] ?? 0)) : 0,
  )
  const room = Math.max(0, sold - sum(all))
  const fits = Math.min(1, room / Math.max(1, sum(beyond as Millicores[])))
  return all.map((own, i) => (own + Math.floor((beyond[i] ?? 0) * fits)) as Millicores)
}

type Promising = Question &
  Sold & {
    /** In the order of the outcomes. */
    readonly entitled: readonly Millicores[]
    readonly limits: readonly Millicores[]
  }

function promiseAll(
  outcomes: readonly Outcome[],
  { entitled: all, limits, capacity, rules, sold }: Promising,
): Millicores[] {
  const { isByRequests = false } = capacity
  const promised = outcomes.map(({ pod, bid, given }, i) => {
    const entitled = all[i] ?? (0 as Millicores)
    const limit = isStrict(pod, rules) ? (limits[i] ?? given) : undefined
    const need = countedNeed(bid)
    const promise = promiseOf({ pod, entitled, need, given, limit, isByRequests, rules })
    return { promise, entitled, isFixed: pod.qosClass === 'Guaranteed' }
  })
  return fitPromises(promised, sold)
}

type Around = Question &
  Sold &
  Told & {
    readonly clearing: Clearing<Millicores>
    readonly entitled: Millicores
    readonly secured: Millicores
    /** The share, of a strict pod. */
    readonly limit: Millicores
    readonly promise: Millicores
    /** Pods of its namespace have latency targets, and it has none. */
    readonly yields: boolean
    readonly shareRatio: number
  }

function decide({ pod, bid, given, reason: said }: Outcome, around: Around): Decision {
  const { clearing, mode, floors, sold, entitled, secured, promise, rules } = around
  const strict = isStrict(pod, rules)
  const need = countedNeed(bid)
  const ceilingByHand = ceilingByHandOf(pod)
  const shares = strict
    ? shareStrict(pod, { promise, limit: around.limit, mode: clearing.mode })
    : shareElastic(pod, promise)
  const reason = strict
    ? strictReason(said, minus(around.limit, given))
    : elasticReason({ ...around, reason: said, need, entitled, given, ceilingByHand })
  const floor = floorByHandOf(pod, rules)
  const isCut = mode === 'overloaded' && floor > entitled
  const aims = need > bid.floor && millicoresUp(pod.readyCores ?? 0) >= need
  const words = [
    reason,
    aims ? 'it bids for bursts too, to keep its latency target' : undefined,
    pod.bound?.reason,
    isCut ? oversoldReason({ floor, entitled, floors, sold }) : undefined,
  ]
  const cuts = [floorCutOf(pod), strict ? ceilingCutOf(pod, bid) : floorAboveCeilingOf(pod)]
  return {
    pod,
    enforcement: strict ? 'strict' : 'elastic',
    bid,
    mode,
    need,
    entitled,
    given,
    secured,
    shareRatio: around.shareRatio,
    ceilingByHand,
    promise,
    ...shares,
    price: clearing.price,
    reason: words.filter((word) => word !== undefined).join('; '),
    notes: [...(pod.notes ?? []), ...cuts.filter((cut) => cut !== undefined)],
  }
}
