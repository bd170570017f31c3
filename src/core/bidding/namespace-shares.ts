/**
 * What each namespace has for certain, whatever the others ask for.
 *
 * Objective: a namespace gets what its pods need, or its share of all that is sold, whichever is less.
 * A clearing by weights alone does not promise that: it starts from the floors, so that a namespace of
 * high floors would take more than its share.
 * Method: where needs do not fit, every namespace first clears its own share among its own bids, by
 * their floors and weights; what that gives each bid is its floor in the clearing of all, which shares
 * what satisfied namespaces leave. Filling up in two steps changes nothing where there is one namespace,
 * so that is left out. Complexity: one clearing more.
 *
 *   sold 3600m; namespace: share, floor, need                             gets
 *   shop: 2, 100m, 3000m; greedy: 0.1, 50m, 4000m                     ->  shop 3000m, greedy 600m
 *   shop: 2, 100m, 5000m; greedy: 2, 2000m, 4000m                     ->  shop 1800m, greedy 1800m
 *   the same without shares                                           ->  shop 850m, greedy 2750m
 */
import { type Bid, countedNeed } from '../market/bid.ts'
import { clearMarket, type ClearOptions } from '../market/clear.ts'
import { type Millicores, split } from '../units.ts'
import { byNamespace } from './weights.ts'

export type Sharing = {
  readonly namespace: string
  readonly bid: Bid<Millicores>
}

/** The bids with floors of what their namespace's share gives them; as they are where all needs fit. */
export function guaranteeShares(
  capacity: Millicores,
  all: readonly Sharing[],
  { mechanism }: Pick<ClearOptions, 'mechanism'> = {},
): readonly Bid<Millicores>[] {
  const bids = all.map(({ bid }) => bid)
  const needs = bids.reduce((sum, bid) => sum + countedNeed(bid), 0)
  const groups = [...byNamespace(all)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (groups.length < 2 || needs <= capacity) return bids
  const shares = sharesOf(capacity, all)
  const guaranteed = new Map<string, Millicores>()
  for (const [namespace, members] of groups) {
    const own = members.map(({ bid }) => bid)
    const share = shares.get(namespace) ?? (0 as Millicores)
    const { amounts } = clearMarket(share, own, mechanism === undefined ? {} : { mechanism })
    for (const [i, { id }] of own.entries()) guaranteed.set(id, amounts[i] ?? (0 as Millicores))
  }
  return bids.map((bid) => Object.assign({}, bid, { floor: guaranteed.get(bid.id) ?? bid.floor }))
}

/** Of what is sold, by namespace: in proportion to the weights of its bids. */
export function sharesOf(
  capacity: Millicores,
  all: readonly Sharing[],
): ReadonlyMap<string, Millicores> {
  const groups = [...byNamespace(all)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (groups.length === 0) return new Map()
  const weights = groups.map(([, members]) =>
    members
      .map(({ bid }) => bid.weight)
      .toSorted((a, b) => a - b)
      .reduce((a, b) => a + b, 0),
  )
  const parts = split(capacity, weights)
  return new Map(groups.map(([namespace], i) => [namespace, parts[i] ?? (0 as Millicores)]))
}
