/**
 * Clearing by price alone. The coordinator broadcasts a price and hears the sum of the demands,
 * nothing else; each bid answers with its best response. The fixed point is the Nash solution, whose
 * multiplier is the price.
 *
 *   price' = max(0, price + step x (demand - capacity))
 *
 * Step rule. While all prices tried were too cheap (or too dear), the step is four times the last
 * one, so a price on the other side is found from any start. From then on the step is chosen so that
 * the new price falls between the dearest that was too cheap and the cheapest that was too dear:
 * where a demand that goes with 1 / price would meet capacity, and at every third broadcast at their
 * geometric mean, so that the logarithm of their ratio at least halves every three broadcasts.
 * Demand falls steadily with the price, so this converges, whatever the bids are.
 */
import { exactSum } from '../sum.ts'
import type { Scratch } from './scratch.ts'
import type { Vessels } from './water-level.ts'

export type Coordinator = {
  readonly price: number
  readonly broadcasts: number
  readonly settled: boolean
  readonly stride: number
  readonly tooCheap: Answer | null
  readonly tooDear: Answer | null
}
type Answer = { readonly price: number; readonly demand: number }

/** Of capacity: what the rounding of a sum can hide. */
const tolerance = 4 * Number.EPSILON

export const startCoordinator = (price = 0): Coordinator => ({
  price,
  broadcasts: 0,
  settled: false,
  stride: 1,
  tooCheap: null,
  tooDear: null,
})

/** The coordinator's whole knowledge: what it asked, and what all demanded together. */
export function adjustPrice(at: Coordinator, demand: number, capacity: number): Coordinator {
  const { price } = at
  const excess = demand - capacity
  const heard = { ...at, broadcasts: at.broadcasts + 1 }
  if (price === 0 ? excess <= 0 : Math.abs(excess) <= tolerance * capacity) {
    return { ...heard, settled: true }
  }
  const answer = { price, demand }
  const tooCheap = excess > 0 ? answer : at.tooCheap
  const tooDear = excess < 0 ? answer : at.tooDear
  const bracketed = tooCheap !== null && tooDear !== null
  // Between two prices the step follows from the next price, not the other way round: added to a
  // price that is far too dear, a step to one near nothing would be lost to rounding.
  const step = (at.stride * Math.max(price, 1 / capacity)) / capacity
  const next = bracketed
    ? between({ ...heard, tooCheap, tooDear }, capacity)
    : Math.max(0, price + step * excess)
  // No double lies between the two prices: they are as close as they can be told apart.
  const settled = next === price || next === tooCheap?.price || next === tooDear?.price
  return {
    ...heard,
    price: settled ? price : next,
    settled,
    stride: at.stride * 4,
    tooCheap,
    tooDear,
  }
}

type Bracketed = Coordinator & { readonly tooCheap: Answer; readonly tooDear: Answer }

function between(at: Bracketed, capacity: number): number {
  const { tooCheap, tooDear } = at
  if (tooCheap.price === 0) return tooDear.price / (4 * at.stride)
  const mean = Math.sqrt(tooCheap.price) * Math.sqrt(tooDear.price)
  if (at.broadcasts % 3 === 0) return mean
  const share = (capacity - tooDear.demand) / (tooCheap.demand - tooDear.demand)
  const level = 1 / tooDear.price + share * (1 / tooCheap.price - 1 / tooDear.price)
  const price = 1 / level
  return price > tooCheap.price && price < tooDear.price ? price : mean
}

/** What a bid wants above its floor: the most of weight x log(above) - price x above. */
export const bestResponse = (weight: number, width: number, price: number): number =>
  price === 0 ? width : Math.min(width, weight / price)

/** The conversation between the coordinator and the bids, here in one process. */
export function clearByPrice(vessels: Vessels, { shares: wanted }: Scratch, startPrice: number) {
  const { count, amount, slopes, caps } = vessels
  let coordinator = startCoordinator(startPrice)
  while (!coordinator.settled) {
    for (let i = 0; i < count; i++) {
      wanted[i] = bestResponse(slopes[i]!, caps[i]!, coordinator.price)
    }
    coordinator = adjustPrice(coordinator, exactSum(wanted, count), amount)
  }
  const { price, broadcasts: iterations } = coordinator
  return { level: 1 / price, price, iterations }
}
