/** Reads bids into the scratch, refusing what cannot be cleared by bid and field. Nothing is clamped. */
import { InvalidInput } from '../errors.ts'
import type { Unit } from '../units.ts'
import type { Bid } from './bid.ts'
import { mayRepeat } from './repeated-ids.ts'
import type { Scratch } from './scratch.ts'

/** Beyond this the slopes of a weight and a width could leave what a double can tell apart. */
const weights = { min: 1e-9, max: 1e9 }

/** The sum of the floors, and of the widths: from each floor to the need that counts. */
export type Sums = { readonly floorSum: number; readonly widthSum: number }

export function readBids(
  capacity: number,
  bids: readonly Bid<Unit<string>>[],
  scratch: Scratch,
): Sums {
  if (!isAmount(capacity)) {
    throw new InvalidInput(`market: expected capacity to be ${amount}, got ${capacity}`)
  }
  let floorSum = 0
  let widthSum = 0
  for (let i = 0; i < bids.length; i++) {
    const bid = bids[i]!
    const { floor, need, ceiling, weight } = bid
    if (!isAmount(floor)) refuse(bid, 'floor', amount)
    if (!isAmount(need)) refuse(bid, 'need', amount)
    if (!isAmount(ceiling)) refuse(bid, 'ceiling', amount)
    if (floor > ceiling) refuse(bid, 'floor', `at most its ceiling of ${ceiling}`)
    if (!(weight >= weights.min && weight <= weights.max)) {
      refuse(bid, 'weight', `from ${weights.min} to ${weights.max}`)
    }
    const width = Math.min(Math.max(need, floor), ceiling) - floor
    scratch.floors[i] = floor
    scratch.widths[i] = width
    scratch.weights[i] = weight
    floorSum += floor
    widthSum += width
  }
  if (floorSum + widthSum > Number.MAX_SAFE_INTEGER) {
    const needs = floorSum + widthSum
    throw new InvalidInput(`market: expected needs that add up to less than 2^53, got ${needs}`)
  }
  if (mayRepeat(bids)) checkIds(bids)
  return { floorSum, widthSum }
}

const amount = 'a whole number of 0 or more'
const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

function refuse<B extends Bid<Unit<string>>>(
  bid: B,
  field: keyof B & string,
  wanted: string,
): never {
  const got = String(bid[field])
  throw new InvalidInput(`bid "${bid.id}": expected ${field} to be ${wanted}, got ${got}`)
}

function checkIds(bids: readonly Bid<Unit<string>>[]): void {
  const places = new Map<string, number>()
  for (const [i, { id }] of bids.entries()) {
    if (id === '') throw new InvalidInput(`bid ${i + 1}: expected id to be a name, got ""`)
    const first = places.get(id)
    if (first !== undefined) {
      const both = `bids ${first + 1} and ${i + 1} share it`
      throw new InvalidInput(`bid "${id}": expected id to be of one bid only, but ${both}`)
    }
    places.set(id, i)
  }
}
