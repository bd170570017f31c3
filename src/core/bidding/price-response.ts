/**
 * Needs that fall with the price, so that what is dear goes to those who are short of it.
 *
 * Objective: the price at which bids and market agree: bids that answer it make the market clear at it.
 * Method: the answer is one number, the pressure, from 0 to 1: the price in parts of what it would be if
 * nobody's need were met, sum of weights / what is above the floors. A need falls by 20 % x pressure,
 * not below the floor. Lower needs never raise the price, so the pressure is found by halving; where the
 * price jumps (needs that just fit cost nothing), the market stays on the side that is short. The
 * answer is found within one clearing, not from the last one's price: no swing from clearing to clearing.
 * Constraints: a need falls by at most 20 %. Only where the price is the worth of a millicore: in a
 * congested market by nash or primal-dual. Complexity: 20 clearings.
 * Reference: F. P. Kelly, A. K. Maulloo, D. K. H. Tan, "Rate control for communication networks", 1998.
 *
 *   capacity 1000, floors 0, weights 1    price       needs after    price after
 *   needs 300, 2000                   ->  1/700       260, 1730      1/740
 *   needs 600, 2000                   ->  1/500       484, 1613      1/516
 *   needs 300, 600                    ->  0           300, 600       0
 */
import { type Bid, countedNeed } from '../market/bid.ts'
import { type Clearing, clearMarket, type ClearOptions } from '../market/clear.ts'
import type { Millicores } from '../units.ts'

const MOST_RATIO = 0.2
const HALVINGS = 20

export type Response = {
  readonly bids: readonly Bid<Millicores>[]
  readonly clearing: Clearing<Millicores>
  /** By which needs fell. */
  readonly cutRatio: number
}

export function respondToPrice(
  capacity: Millicores,
  bids: readonly Bid<Millicores>[],
  options: ClearOptions = {},
): Response {
  const worth = worthOfAll(capacity, bids)
  const at = (pressure: number): Response => {
    const cutRatio = MOST_RATIO * pressure
    const lowered = bids.map((bid) => lowerNeed(bid, cutRatio))
    return { bids: lowered, clearing: clearMarket(capacity, lowered, options), cutRatio }
  }
  const pressureIn = ({ clearing: { mode, price } }: Response): number =>
    mode === 'congested' ? Math.min(1, (price ?? Infinity) / worth) : 0
  const unmoved = at(0)
  // The price of kalai-smorodinsky is not the worth of a millicore: there is nothing to answer.
  if (options.mechanism === 'kalai-smorodinsky' || pressureIn(unmoved) === 0) return unmoved
  let [low, high] = [0, 1]
  let found = unmoved
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    const tried = at(middle)
    if (pressureIn(tried) >= middle) [low, found] = [middle, tried]
    else high = middle
  }
  return found
}

/** The price if every need were endless. */
function worthOfAll(capacity: Millicores, bids: readonly Bid<Millicores>[]): number {
  let above: number = capacity
  let weight = 0
  for (const bid of bids) {
    above -= bid.floor
    if (countedNeed(bid) > bid.floor) weight += bid.weight
  }
  return weight / Math.max(0, above)
}

export const lowerNeed = (bid: Bid<Millicores>, ratio: number): Bid<Millicores> =>
  ratio === 0
    ? bid
    : { ...bid, need: Math.max(bid.floor, Math.ceil(countedNeed(bid) * (1 - ratio))) as Millicores }
