import { type Bid, countedNeed } from '../market/bid.ts'
import type { Clearing } from '../market/clear.ts'
import type { Millicores } from '../units.ts'

/**
 * The logarithm of what Nash's solution makes largest: the product, over the bids that want something
 * above their floors, of what each got above it to the power of its weight. Undefined where one got
 * nothing, as when the floors do not fit. O(n).
 *
 *   given above the floors  weights      logarithm
 *   350m, 350m              1, 1     ->  11.716
 *   500m, 200m              1, 1     ->  11.513    less: it is not what Nash gives
 *   none                             ->  0
 */
export function nashProductLog(
  { amounts }: Clearing<Millicores>,
  bids: readonly Bid<Millicores>[],
): number | undefined {
  let sum = 0
  for (const [i, bid] of bids.entries()) {
    if (countedNeed(bid) === bid.floor) continue
    const above = (amounts[i] ?? 0) - bid.floor
    if (above <= 0) return undefined
    sum += bid.weight * Math.log(above)
  }
  return sum
}
