/**
 * The decision of one node: what it sells, who bids, what each gets, and why.
 *
 * Sold is allocatable without the reserve and without what those hold that take no part, and never more
 * than the CPUs can run that containers share: CPUs of somebody's own, and those that a strict
 * reservation keeps for the system, run nobody else. The request is what is promised: the need, but no
 * more than what is usual of the pod, and at most 0.95 of the limit when CPU is short and 0.75 when it
 * is not.
 * The limit is what is allowed: the market's allocation when CPU is short; when it is not, what nobody
 * needs is shared as head-room by weight up to the ceilings, since throttling beside idle CPU helps
 * nobody; in cost mode it is not. The limits together never exceed what is sold, and so the requests
 * of all pods never exceed allocatable. QoS classes stay: a request below its limit keeps a pod
 * Burstable; a Guaranteed pod has one value for both, and so no head-room; a container without a limit
 * gets none, only its request moves, within what its pod bought.
 *
 *   sold 1000m    needs         limits        requests
 *   short         800m, 800m    500m, 500m    475m, 475m
 *   enough        460m, 100m    680m, 320m    460m, 100m
 *   in cost mode  460m, 100m    460m, 100m    345m, 75m
 */
import { type Bid, countedNeed } from '../market/bid.ts'
import { type Clearing, clearMarket, type Mode } from '../market/clear.ts'
import { formatMillicores } from '../quantity.ts'
import { type Millicores, minus } from '../units.ts'
import { bidOf, ceilingCutOf, floorCutOf } from './bid-of-pod.ts'
import { clearPods, type Outcome, type PodsMarket } from './clear-pods.ts'
import {
  type ContainerShare,
  REQUEST_RATIO,
  shareOverContainers,
  smallestLimit,
} from './container-shares.ts'
import { nashProductLog } from './nash-product.ts'
import { millicoresUp, type NodePod } from './pod.ts'
import { type BiddingRules, biddingRules } from './rules.ts'
import { heldBy, ownCpusOf, promisedTo, whyUnmanaged } from './unmanaged.ts'
import { requestedBy, weighPods } from './weights.ts'

export type Decision = {
  readonly pod: NodePod
  readonly bid: Bid<Millicores>
  readonly mode: Mode
  /** Within floor and ceiling. */
  readonly need: Millicores
  /** Of that, what its request may be: bursts are the limit's. */
  readonly promise: Millicores
  readonly request: Millicores
  /** Of what is sold; where a container has no limit, only what the pod counts for. */
  readonly limit: Millicores
  readonly containers: readonly ContainerShare[]
  /** Who comes first between two clearings: its weight per CPU of its request. */
  readonly rank: number
  /** Null where the market has none. */
  readonly price: number | null
  readonly reason: string
  /** Which words of its owner do not count as written, and why. */
  readonly notes: readonly string[]
}

export type Unmanaged = {
  readonly pod: NodePod
  readonly reason: string
  readonly held: Millicores
}

export type NodeCapacity = {
  readonly allocatable: Millicores
  /** What the CPUs can run that containers share; undefined: nobody knows of others. */
  readonly pool?: Millicores | undefined
}

export type NodePlan = {
  readonly allocatable: Millicores
  /** With what is allocatable and yet on CPUs that run no container. */
  readonly reserve: Millicores
  /** By those that take no part. */
  readonly held: Millicores
  readonly sold: Millicores
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

type Question = {
  readonly capacity: NodeCapacity
  readonly managed: readonly NodePod[]
  readonly unmanaged: readonly Unmanaged[]
  readonly rules: BiddingRules
}

/** Those that would get less than the kernel can enforce keep what they have, and the rest clears again. */
function planManaged({ capacity, managed, unmanaged, rules }: Question): NodePlan {
  const { allocatable } = capacity
  const usable = usableOf(capacity, unmanaged)
  const reserve = (Math.ceil(usable * rules.reserveRatio) + allocatable - usable) as Millicores
  const requested = managed.reduce((sum, pod) => sum + requestedBy(pod), 0)
  const held = heldBeside(allocatable - reserve - requested, unmanaged)
  const sold = Math.max(0, allocatable - reserve - held) as Millicores
  const entitledRatio = Math.min(1, sold / Math.max(1, requested))
  const weights = weighPods(managed)
  const bidders = managed.map((pod) => {
    const { weight = 1 } = weights.get(pod.uid) ?? {}
    return { pod, bid: bidOf(pod, { sold, entitledRatio, weight, rules }) }
  })
  const market = clearPods(sold, bidders, rules)
  const tooSmall = market.outcomes.filter(({ pod, given }) => given < smallestOf(pod))
  if (tooSmall.length > 0) {
    const kept = new Set(tooSmall.map(({ pod }) => pod))
    const more = tooSmall.map(({ pod, reason }): Unmanaged => {
      const why = `keeps what it has: it ${reason}, and a container's limit is at least ${smallestLimit(pod)}m`
      return { pod, reason: why, held: heldBy(pod) }
    })
    const left = managed.filter((pod) => !kept.has(pod))
    return planManaged({ capacity, managed: left, unmanaged: [...unmanaged, ...more], rules })
  }
  const { clearing, bids, outcomes } = market
  const limits = limitsOf(market, rules)
  const decisions = outcomes
    .map((outcome, i) => {
      const { rank = 1 } = weights.get(outcome.pod.uid) ?? {}
      return decide(outcome, { limit: limits[i] ?? outcome.given, clearing, rank })
    })
    .toSorted((a, b) => (a.pod.uid < b.pod.uid ? -1 : 1))
  const plan = { allocatable, reserve, held, sold, clearing, decisions, unmanaged }
  const product = nashProductLog(clearing, bids)
  return product === undefined ? plan : { ...plan, nashProductLog: product }
}

/** Of allocatable, what CPUs can run: those that are shared, and those of the pods that have their own. */
function usableOf(
  { allocatable, pool = allocatable }: NodeCapacity,
  unmanaged: readonly Unmanaged[],
): number {
  const own = unmanaged.reduce((sum, { pod }) => sum + ownCpusOf(pod), 0)
  return Math.min(allocatable, pool + own)
}

/**
 * What those that take no part hold. What they use beyond their requests counts only up to what those
 * that take part did not request: who stays out must not take by use what others requested.
 */
function heldBeside(room: number, unmanaged: readonly Unmanaged[]): Millicores {
  const held = unmanaged.reduce((sum, { held }) => sum + held, 0)
  const promised = unmanaged.reduce((sum, { pod }) => sum + promisedTo(pod), 0)
  return Math.max(promised, Math.min(held, room)) as Millicores
}

const smallestOf = (pod: NodePod): number => smallestLimit(pod) * pod.containers.length

/** With slack it is shared by a second clearing, in which everyone wants its ceiling. */
function limitsOf(
  { clearing, outcomes }: PodsMarket,
  { isCostMode }: BiddingRules,
): readonly Millicores[] {
  if (clearing.mode !== 'uncongested' || isCostMode) return outcomes.map(({ given }) => given)
  const hungry = outcomes.map(({ pod, bid, given }) => {
    const need = takesHeadroom(pod) ? mostBeside(pod, given, bid.ceiling) : given
    return { ...bid, floor: given, need }
  })
  return clearMarket(clearing.capacity, hungry).amounts
}

/** A LimitRange may bound a limit by its request: what is idle only now is no reason to promise more. */
const mostBeside = ({ range }: NodePod, given: Millicores, ceiling: Millicores): Millicores =>
  Math.min(ceiling, Math.floor(given * (range?.limitRatio ?? Infinity))) as Millicores

/** It must not be promised what is idle only now; and who has no limit takes idle CPU without leave. */
const takesHeadroom = ({ qosClass, containers }: NodePod): boolean =>
  qosClass !== 'Guaranteed' && containers.some(({ limit }) => limit !== undefined)

/** The pod's part in its containers' requests and limits. */
export function sharePod(
  pod: NodePod,
  { need, limit, mode }: { need: Millicores; limit: Millicores; mode: Mode },
): Pick<Decision, 'request' | 'limit' | 'containers'> {
  const burstable = mode === 'uncongested' ? REQUEST_RATIO.enough : REQUEST_RATIO.short
  const requestRatio = pod.qosClass === 'Guaranteed' ? 1 : burstable
  const most = (pod.bound ? Math.min(need, pod.bound.request) : need) as Millicores
  const share = { need: most, limit, requestRatio, range: pod.range }
  const containers = shareOverContainers(pod.containers, share)
  const request = containers.reduce((sum, { request }) => sum + request, 0) as Millicores
  return { request, limit, containers }
}

type Given = Pick<Decision, 'limit' | 'rank'> & { readonly clearing: Clearing<Millicores> }

function decide({ pod, bid, given, reason }: Outcome, { limit, clearing, rank }: Given): Decision {
  const { mode, price } = clearing
  const need = countedNeed(bid)
  const promise = Math.max(bid.floor, Math.min(need, pod.usual ?? need)) as Millicores
  const headroom = minus(limit, given)
  const more = `, and ${formatMillicores(headroom)} of idle CPU as head-room in its limit`
  const aims = need > bid.floor && millicoresUp(pod.aimedCores ?? 0) >= need
  const target = aims ? '; it bids for bursts too, to keep its latency target' : ''
  const words = `${reason}${headroom > 0 ? more : ''}${target}`
  const cuts = [floorCutOf(pod), ceilingCutOf(pod, bid)].filter((cut) => cut !== undefined)
  return {
    pod,
    bid,
    mode,
    need,
    promise,
    ...sharePod(pod, { need: promise, limit, mode }),
    price,
    rank,
    reason: pod.bound === undefined ? words : `${words}; ${pod.bound.reason}`,
    notes: [...(pod.notes ?? []), ...cuts],
  }
}
