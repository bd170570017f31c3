/**
 * What each namespace has for certain, whatever the others ask for.
 *
 * Objective: a namespace gets what its pods need, or its share of all that is sold, whichever is less;
 * and no less than its floors, since they are what its pods are entitled to. A clearing by weights
 * alone does not promise that: it starts from the floors, so that a namespace of high floors gets its
 * part by weight on top of them.
 * Method: where needs do not fit, all that is sold is shared by weight, and whose part is below its
 * floors has its floors, of which the others bear a part each. Every namespace first clears its own
 * share among its own bids, by their floors and weights; what that gives each bid is its floor in the
 * clearing of all, which shares what satisfied namespaces leave. Filling up in two steps changes
 * nothing where there is one namespace, so that is left out. Complexity: one clearing more, and n
 * splits for n namespaces.
 *
 *   sold 3600m; namespace: share, floor, need                             gets
 *   shop: 2, 100m, 3000m; greedy: 0.1, 50m, 4000m                     ->  shop 3000m, greedy 600m
 *   shop: 2, 100m, 5000m; greedy: 2, 1500m, 4000m                     ->  shop 1800m, greedy 1800m
 *   the same without shares                                           ->  shop 1100m, greedy 2500m
 *   shop: 2, 100m, 5000m; greedy: 2, 2000m, 4000m                     ->  shop 1600m, greedy 2000m
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

/** Of what is sold, by namespace: in proportion to the weights of its bids, and at least their floors. */
export function sharesOf(
  capacity: Millicores,
  all: readonly Sharing[],
): ReadonlyMap<string, Millicores> {
  const shares = new Map<string, Millicores>()
  let open = [...byNamespace(all)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([namespace, members]) => {
      const floor = members.reduce((sum, { bid }) => sum + bid.floor, 0)
      // In a fixed order: the last bit must not depend on who was listed first.
      const weights = members.map(({ bid }) => bid.weight).toSorted((a, b) => a - b)
      return { namespace, floor, weight: weights.reduce((a, b) => a + b, 0) }
    })
  let left: number = capacity
  for (;;) {
    if (open.length === 0) return shares
    const parts = split(
      Math.max(0, left) as Millicores,
      open.map(({ weight }) => weight),
    )
    const isBelow = open.map(({ floor }, i) => (parts[i] ?? 0) < floor)
    const isDone = !isBelow.includes(true)
    for (const [i, { namespace, floor }] of open.entries()) {
      if (isDone) shares.set(namespace, parts[i] ?? (0 as Millicores))
      else if (isBelow[i] === true) {
        shares.set(namespace, floor as Millicores)
        left -= floor
      }
    }
    open = isDone ? [] : open.filter((_, i) => isBelow[i] !== true)
  }
}
