import { InvalidInput } from '../errors.ts'
import type { Unit } from '../units.ts'
import type { Bid } from './bid.ts'

/** Beyond this the slopes of a weight and a width could leave what a double can tell apart. */
const weights = { min: 1e-9, max: 1e9 }

/** Refuses what cannot be cleared, naming the bid and the field. Nothing is clamped. */
export function checkBids<U extends Unit<string>>(capacity: U, bids: readonly Bid<U>[]): void {
  if (!isAmount(capacity)) {
    throw new InvalidInput(`market: expected capacity to be ${amount}, got ${capacity}`)
  }
  const ids = new Set<string>()
  let needs = 0
  for (const bid of bids) {
    const { id, floor, need, ceiling, weight } = bid
    if (!isAmount(floor)) refuse(bid, 'floor', amount, floor)
    if (!isAmount(need)) refuse(bid, 'need', amount, need)
    if (!isAmount(ceiling)) refuse(bid, 'ceiling', amount, ceiling)
    if (floor > ceiling) refuse(bid, 'floor', `at most its ceiling of ${ceiling}`, floor)
    if (!(weight >= weights.min && weight <= weights.max)) {
      refuse(bid, 'weight', `from ${weights.min} to ${weights.max}`, weight)
    }
    needs += Math.min(Math.max(need, floor), ceiling)
    ids.add(id)
  }
  if (needs > Number.MAX_SAFE_INTEGER) {
    throw new InvalidInput(`market: expected needs that add up to less than 2^53, got ${needs}`)
  }
  if (ids.size < bids.length || ids.has('')) checkIds(bids)
}

const amount = 'a whole number of 0 or more'
const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

function refuse(
  bid: Bid<Unit<string>>,
  field: keyof Bid<Unit<string>>,
  wanted: string,
  got: number,
): never {
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
