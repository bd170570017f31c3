/**
 * One clearing for the pods of a node: those of a coalition bid as one, and share what it gets by
 * their Shapley values; where the operator wants it, needs answer the price first.
 */
import { joinBids, splitAmong } from '../coalition/joint-bid.ts'
import { type Bid, countedNeed } from '../market/bid.ts'
import { type Clearing, clearMarket } from '../market/clear.ts'
import { explainAllocation } from '../market/explain.ts'
import { formatMillicores } from '../quantity.ts'
import type { Millicores } from '../units.ts'
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
  const outcomes = parties.flatMap((party, i) => {
    const members = party.members.map(({ pod, bid }) => ({ pod, bid: lowerNeed(bid, cutRatio) }))
    const why = explainAllocation(clearing, bids, i, formatMillicores)
    const less = needIn(asked[i]) - needIn(bids[i])
    const reason =
      less > 0 ? `${why}; for the price it asks for ${less}m less than it could use` : why
    return shareInParty({ ...party, members }, clearing.amounts[i] ?? (0 as Millicores), reason)
  })
  return { clearing, bids, outcomes }
}

type Party = { readonly id: string; readonly members: readonly Bidder[] }

/** Within a namespace: nobody joins the coalition of another tenant by knowing its name. */
function partiesOf(bidders: readonly Bidder[]): Party[] {
  const parties = new Map<string, Bidder[]>()
  for (const bidder of bidders) {
    const { uid, namespace, wishes } = bidder.pod
    const { coalition } = wishes
    const id = coalition === undefined ? uid : `coalition ${namespace}/${coalition}`
    parties.set(id, [...(parties.get(id) ?? []), bidder])
  }
  return [...parties].map(([id, members]) => ({ id, members }))
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
    const share = `gets ${formatMillicores(given)}, its share in the ${id} of ${members.length} pods, which ${reason}`
    return { ...member, given, reason: share }
  })
}

const needIn = (bid: Bid<Millicores> | undefined): number => (bid ? countedNeed(bid) : 0)
