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
import type { MechanismName } from './mechanism-names.ts'
import { mechanisms } from './mechanisms.ts'
import { readBids } from './read-bids.ts'
import { scratchFor } from './scratch.ts'
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
  readonly iterations?: number | undefined
}

export type ClearOptions = {
  readonly mechanism?: MechanismName
  /** Where primal-dual starts: the last price, when there is one. */
  readonly startPrice?: number
}

export function clearMarket<U extends Unit<string>>(
  capacity: U,
  bids: readonly Bid<U>[],
  { mechanism = 'nash', startPrice = 0 }: ClearOptions = {},
): Clearing<U> {
  checkStartPrice(startPrice)
  const count = bids.length
  const scratch = scratchFor(count)
  const { floors, widths } = scratch
  const { floorSum, widthSum } = readBids(capacity, bids, scratch)
  if (floorSum + widthSum <= capacity) {
    const exact = sums(count, widths, floors)
    const amounts = exact as readonly number[] as readonly U[]
    const slack = (capacity - floorSum - widthSum) as U
    const mode = 'uncongested'
    return { mode, mechanism, capacity, price: 0, slack, amounts, exact, certificate: perfect }
  }
  const overloaded = floorSum > capacity
  const shared = share({
    bids,
    // When overloaded the floors take the place of the needs: equal fractions of them, by weight.
    mechanism: mechanisms[overloaded ? 'kalai-smorodinsky' : mechanism],
    amount: overloaded ? capacity : capacity - floorSum,
    caps: overloaded ? floors : widths,
    capacity,
    startPrice,
    scratch,
  })
  const bases = overloaded ? undefined : floors
  return {
    mode: overloaded ? 'overloaded' : 'congested',
    mechanism,
    capacity,
    price: overloaded ? null : shared.price,
    slack: 0 as U,
    amounts: sums(count, shared.units, bases) as readonly number[] as readonly U[],
    exact: sums(count, shared.shares, bases),
    certificate: shared.certificate,
    iterations: overloaded ? undefined : shared.iterations,
  }
}

function sums(count: number, values: Float64Array, bases: Float64Array | undefined): number[] {
  const result = new Array<number>(count) // growing it one by one takes three times as long
  for (let i = 0; i < count; i++) {
    result[i] = bases === undefined ? values[i]! : bases[i]! + values[i]!
  }
  return result
}

function checkStartPrice(price: number): void {
  if (price >= 0 && price < Infinity) return
  throw new InvalidInput(`market: expected the start price to be 0 or more, got ${price}`)
}
