/**
 * Clears a market: one capacity, many bids.
 *
 *   uncongested  needs fit            everyone gets the need, price 0
 *   congested    floors fit, needs do not   the mechanism shares what is above the floors
 *   overloaded   floors do not fit    floors shared by weight x floor, none above its floor, no price
 *
 * Results are whole units; their sum never exceeds the capacity and equals it unless uncongested.
 * `exact` is the solution before rounding to whole units. The order of the bids never matters.
 */
import { InvalidInput } from '../errors.ts'
import type { Unit } from '../units.ts'
import type { Bid } from './bid.ts'
import { type Certificate, perfect } from './certificate.ts'
import { checkBids } from './check.ts'
import { type MechanismName, mechanisms } from './mechanisms.ts'
import { share } from './share.ts'

export type Mode = 'uncongested' | 'congested' | 'overloaded'

export type Clearing<U extends Unit<string>> = {
  readonly mode: Mode
  readonly mechanism: MechanismName
  readonly capacity: U
  /** Of one unit; null where it is infinite (nothing above the floors) or has no meaning (overload). */
  readonly price: number | null
  readonly slack: U
  /** Whole units, in the order of the bids. */
  readonly amounts: readonly U[]
  /** Before rounding, in the order of the bids. */
  readonly exact: readonly number[]
  readonly certificate: Certificate
  /** How many prices primal-dual broadcast. */
  readonly iterations?: number
}

export type ClearOptions = {
  readonly mechanism?: MechanismName
  /** Where primal-dual starts: the last price, when there is one. */
  readonly startPrice?: number
}

export function clearMarket<U extends Unit<string>>(
  capacity: U,
  bids: readonly Bid<U>[],
  { mechanism: name = 'nash', startPrice = 0 }: ClearOptions = {},
): Clearing<U> {
  checkBids(capacity, bids)
  checkStartPrice(startPrice)
  const floors = new Float64Array(bids.length)
  const widths = new Float64Array(bids.length) // from the floor to the need that counts
  let floorSum = 0
  let widthSum = 0
  for (let i = 0; i < bids.length; i++) {
    const { floor, need, ceiling } = bids[i]!
    const width = Math.min(Math.max(need, floor), ceiling) - floor
    floors[i] = floor
    widths[i] = width
    floorSum += floor
    widthSum += width
  }
  const slack = Math.max(0, capacity - floorSum - widthSum) as U
  const base = { mechanism: name, capacity, slack }
  if (floorSum + widthSum <= capacity) {
    const exact = sums(floors, widths)
    const amounts = exact as readonly number[] as readonly U[]
    return { ...base, mode: 'uncongested', price: 0, amounts, exact, certificate: perfect }
  }
  const overloaded = floorSum > capacity
  const [bases, caps] = overloaded ? [new Float64Array(bids.length), floors] : [floors, widths]
  const { shares, units, price, ...rest } = share({
    bids,
    // The floors take the place of the needs: equal fractions of them, times the weight.
    mechanism: mechanisms[overloaded ? 'kalai-smorodinsky' : name],
    amount: overloaded ? capacity : capacity - floorSum,
    caps,
    capacity,
    startPrice,
  })
  return {
    ...base,
    mode: overloaded ? 'overloaded' : 'congested',
    price: overloaded ? null : price,
    amounts: sums(bases, units) as readonly number[] as readonly U[],
    exact: sums(bases, shares),
    ...rest,
  }
}

function sums(a: Float64Array, b: Float64Array): number[] {
  const result: number[] = []
  for (let i = 0; i < a.length; i++) result.push(a[i]! + b[i]!)
  return result
}

function checkStartPrice(price: number): void {
  if (price >= 0 && price < Infinity) return
  throw new InvalidInput(`market: expected the start price to be 0 or more, got ${price}`)
}
