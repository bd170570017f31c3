/**
 * One clearing for the pods of a node: every namespace has its share for certain (namespace-shares.ts);
 * those of a coalition bid as one, and share what it gets by their Shapley values; where the operator
 * wants it, needs answer the price first.
 */
import { joinBids, splitAmong } from '../coalition/joint-bid.ts'
import { type Bid, countedNeed } from '../market/bid.ts'
import { type Clearing, clearMarket } from '../market/clear.ts'
import { explainAllocation } from '../market/explain.ts'
import { showMillicores } from '../quantity.ts'
import type { Millicores } from '../units.ts'
import { guaranteeShares, type Sharing, sharesOf } from './namespace-shares.ts'
import type { NodePod } from './pod.ts'
import { lowerNeed, respondToPrice } from './price-response.ts'
import type { BiddingRules } from './rules.ts'

export type Bidder = { readonly pod: NodePod; readonly bid: Bid<Millicores> }

/** The need of its bid is the one that it asked for in the end. */
export type Outcome = Bidder & { readonly given: Millicores; readonly reason: string }

export type PodsMarket = {
  /** Of the parties: a coalition is one. */
  readonly clearing: Clearing<Millicores>
  readonly bids: readonly Bid<Millicores>[]
  readonly outcomes: readonly Outcome[]
}

export function clearPods(
  capacity: Millicores,
  bidders: readonly Bidder[],
  { mechanism, respondsToPrice }: BiddingRules,
): PodsMarket {
  const parties = partiesOf(bidders)
  const asked = parties.map(jointBid)
  const { bids, clearing, cutRatio } = respondsToPrice
    ? respondToPrice(capacity, asked, { mechanism })
    : { bids: asked, clearing: clearMarket(capacity, asked, { mechanism }), cutRatio: 0 }
  const sharing = bids.map((bid, i) => ({ namespace: parties[i]?.namespace ?? '', bid }))
  const shared = clearShares(clearing, sharing)
  const shares = sharesOf(capacity, sharing)
  const outcomes = parties.flatMap((party, i) => {
    const members = party.members.map(({ pod, bid }) => ({ pod, bid: lowerNeed(bid, cutRatio) }))
    const why = explainIn({ clearing: shared, bids, shares }, party.namespace, i)
    const less = needIn(asked[i]) - needIn(bids[i])
    const reason =
      less > 0 ? `${why}; for the price it asks for ${less}m less than it could use` : why
    return shareInParty({ ...party, members }, shared.amounts[i] ?? (0 as Millicores), reason)
  })
  return { clearing: shared, bids, outcomes }
}

/** Mode and price are those of the whole node, by weights alone. */
function clearShares(
  plain: Clearing<Millicores>,
  sharing: readonly Sharing[],
): Clearing<Millicores> {
  const { capacity, mechanism, mode, price } = plain
  const guaranteed = guaranteeShares(capacity, sharing, { mechanism })
  if (guaranteed.every(({ floor }, i) => floor === sharing[i]?.bid.floor)) return plain
  return { ...clearMarket(capacity, guaranteed, { mechanism }), mode, price }
}

type Explained = Pick<PodsMarket, 'clearing' | 'bids'> & {
  readonly shares: ReadonlyMap<string, Millicores>
}

function explainIn({ clearing, bids, shares }: Explained, namespace: string, i: number): string {
  const [bid, amount = 0 as Millicores, share] = [
    bids[i],
    clearing.amounts[i],
    shares.get(namespace),
  ]
  const isFull = bid === undefined || amount === countedNeed(bid)
  if (clearing.mode === 'uncongested' || shares.size < 2 || isFull || share === undefined) {
    return explainAllocation(clearing, bids, i, showMillicores)
  }
  const wanted = showMillicores(countedNeed(bid))
  return `gets ${showMillicores(amount)} of the ${wanted} it needs: capacity is short, and by what its pods request the share of namespace ${namespace} is ${showMillicores(share)}`
}

type Party = {
  readonly id: string
  readonly namespace: string
  readonly members: readonly Bidder[]
}

/** Within a namespace: nobody joins the coalition of another tenant by knowing its name. */
function partiesOf(bidders: readonly Bidder[]): Party[] {
  const parties = new Map<string, { namespace: string; members: Bidder[] }>()
  for (const bidder of bidders) {
    const { uid, namespace, wishes } = bidder.pod
    const { coalition } = wishes
    const id = coalition === undefined ? uid : `coalition ${namespace}/${coalition}`
    const party = parties.get(id)
    if (party === undefined) parties.set(id, { namespace, members: [bidder] })
    else party.members.push(bidder)
  }
  return [...parties].map(([id, { namespace, members }]) => ({ id, namespace, members }))
}

function jointBid({ id, members }: Party): Bid<Millicores> {
  const bids = members.map(({ bid }) => bid)
  const [first = joinBids(id, bids)] = bids
  return bids.length === 1 ? first : joinBids(id, bids)
}

function shareInParty({ id, members }: Party, amount: Millicores, reason: string): Outcome[] {
  if (members.length === 1) return members.map((member) => ({ ...member, given: amount, reason }))
  const { amounts } = splitAmong(
    amount,
    members.map(({ bid }) => bid),
  )
  return members.map((member, i) => {
    const given = amounts[i] ?? (0 as Millicores)
    const share = `gets ${showMillicores(given)}, its share in the ${id} of ${members.length} pods, which ${reason}`
    return { ...member, given, reason: share }
  })
}

const needIn = (bid: Bid<Millicores> | undefined): number => (bid ? countedNeed(bid) : 0)
