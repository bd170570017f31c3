/**
 * The decision of one node: what it sells, who bids, what each gets, and why.
 *
 * The request is what is promised: the need, but at most 0.95 of the limit when CPU is short and
 * 0.75 when it is not. The limit is what is allowed: the market's allocation when CPU is short; when
 * it is not, what nobody needs is shared as head-room by weight up to the ceilings, since throttling
 * beside idle CPU helps nobody. The limits together never exceed what is sold.
 *
 *   sold 1000m    needs         limits        requests
 *   short         800m, 800m    500m, 500m    475m, 475m
 *   enough        460m, 100m    680m, 320m    460m, 100m
 */
import type { Bid } from '../market/bid.ts'
import { countedNeed } from '../market/bid.ts'
import { type Clearing, clearMarket, type Mode } from '../market/clear.ts'
import { explainAllocation } from '../market/explain.ts'
import { formatMillicores } from '../quantity.ts'
import { type Millicores, minus } from '../units.ts'
import { bidOf } from './bid-of-pod.ts'
import { type ContainerShare, shareOverContainers, SMALLEST_LIMIT } from './container-shares.ts'
import type { NodePod } from './pod.ts'
import { heldBy, whyUnmanaged } from './unmanaged.ts'

/** Of allocatable, for bursts of the system and for pods that come before the next clearing. */
const RESERVE_RATIO = 0.1
const REQUEST_RATIO = { short: 0.95, enough: 0.75 }

export type Decision = {
  readonly pod: NodePod
  readonly mode: Mode
  /** Within floor and ceiling. */
  readonly need: Millicores
  readonly request: Millicores
  readonly limit: Millicores
  readonly containers: readonly ContainerShare[]
  /** Null where the market has none. */
  readonly price: number | null
  readonly reason: string
}

export type Unmanaged = {
  readonly pod: NodePod
  readonly reason: string
  readonly held: Millicores
}

export type NodePlan = {
  readonly allocatable: Millicores
  readonly sold: Millicores
  readonly clearing: Clearing<Millicores>
  readonly decisions: readonly Decision[]
  readonly unmanaged: readonly Unmanaged[]
}

export function planNode(allocatable: Millicores, pods: readonly NodePod[]): NodePlan {
  const managed: NodePod[] = []
  const unmanaged: Unmanaged[] = []
  for (const pod of pods.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))) {
    const reason = whyUnmanaged(pod)
    if (reason === undefined) managed.push(pod)
    else unmanaged.push({ pod, reason, held: heldBy(pod) })
  }
  const sold = soldOf(allocatable, unmanaged)
  const bids = managed.map((pod) => bidOf(pod, sold))
  const clearing = clearMarket(sold, bids)
  const limits = limitsOf(clearing, bids)
  const decisions: Decision[] = []
  for (const [i, pod] of managed.entries()) {
    const [bid, limit] = [bids[i], limits[i]]
    if (bid === undefined || limit === undefined) continue
    const reason = explainAllocation(clearing, bids, i, formatMillicores)
    if (limit < SMALLEST_LIMIT * pod.containers.length) {
      const why = `keeps what it has: it ${reason}, and a container's limit is at least ${SMALLEST_LIMIT}m`
      unmanaged.push({ pod, reason: why, held: heldBy(pod) })
    } else {
      decisions.push(decide({ pod, bid, limit, clearing, given: clearing.amounts[i], reason }))
    }
  }
  return { allocatable, sold, clearing, decisions, unmanaged }
}

function soldOf(allocatable: Millicores, unmanaged: readonly Unmanaged[]): Millicores {
  const held = unmanaged.reduce((sum, { held }) => sum + held, 0)
  return Math.max(0, Math.floor(allocatable * (1 - RESERVE_RATIO)) - held) as Millicores
}

/** With slack it is shared by a second clearing, in which everyone wants its ceiling. */
function limitsOf(
  clearing: Clearing<Millicores>,
  bids: readonly Bid<Millicores>[],
): readonly Millicores[] {
  if (clearing.mode !== 'uncongested') return clearing.amounts
  const hungry = bids.map((bid) => ({ ...bid, floor: countedNeed(bid), need: bid.ceiling }))
  return clearMarket(clearing.capacity, hungry).amounts
}

type Given = {
  readonly pod: NodePod
  readonly bid: Bid<Millicores>
  readonly limit: Millicores
  readonly clearing: Clearing<Millicores>
  readonly given: Millicores | undefined
  readonly reason: string
}

function decide({ pod, bid, limit, clearing, given = limit, reason }: Given): Decision {
  const { mode, price } = clearing
  const need = countedNeed(bid)
  const requestRatio = mode === 'uncongested' ? REQUEST_RATIO.enough : REQUEST_RATIO.short
  const containers = shareOverContainers(pod.containers, { need, limit, requestRatio })
  const request = containers.reduce((sum, { request }) => sum + request, 0) as Millicores
  const headroom = minus(limit, given)
  const more = `, and ${formatMillicores(headroom)} of idle CPU as head-room in its limit`
  return {
    pod,
    mode,
    need,
    request,
    limit,
    containers,
    price,
    reason: headroom > 0 ? reason + more : reason,
  }
}
