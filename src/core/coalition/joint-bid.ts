import { type Bid, countedNeed } from '../market/bid.ts'
import { type Random, seededRandom } from '../random.ts'
import type { Unit } from '../units.ts'
import { randomArrival } from './random-arrival.ts'

/**
 * The bid of a coalition: its members ask as one, and `splitAmong` shares what they get. Weights are
 * added in ascending order, so that the order of the members does not show in the last bit.
 */
export function joinBids<U extends Unit<string>>(id: string, members: readonly Bid<U>[]): Bid<U> {
  const sum = (of: (bid: Bid<U>) => number) =>
    members
      .map(of)
      .toSorted((a, b) => a - b)
      .reduce((a, b) => a + b, 0)
  return {
    id,
    floor: sum((bid) => bid.floor) as U,
    need: sum(countedNeed) as U,
    ceiling: sum((bid) => bid.ceiling) as U,
    weight: sum((bid) => bid.weight),
  }
}

export type CoalitionSplit<U extends Unit<string>> = {
  /** The shares before rounding, in the order of the members. */
  readonly exact: readonly number[]
  /** Whole shares that sum to the amount, each its exact share rounded up or down. */
  readonly amounts: readonly U[]
}

/** Any constant will do: the same coalition must be split alike every time. */
const SEED = 1982
/** Remainders that differ by less than rounding does are a tie. */
const REMAINDER_STEPS = 1e6

/**
 * Shares among the members of a coalition what it got.
 *
 * Objective: each gets its floor and its Shapley value in the capacity game over what is left,
 * where it claims its counted need beyond the floor. When the floors do not fit, they are the
 * claims instead.
 * Constraints: amounts are whole and sum to `amount`, and none is above the counted need or, when
 * the floors fit, below the floor. The order of the members does not matter: what rounding leaves
 * goes to the largest remainders, ties by id. Amounts of up to 2^48 lose nothing to rounding.
 * Complexity: 2^n for n members that claim anything up to 20, sampled beyond.
 * Reference: random-arrival.ts.
 *
 *   200 among needs of 100, 200, 300, floors 0        ->  34, 83, 83
 *   260 among the same with floors of 20 each         ->  50, 100, 110
 *   50 among floors of 20, 40                         ->  15, 35
 */
export function splitAmong<U extends Unit<string>>(
  amount: U,
  members: readonly Bid<U>[],
  random: Random = seededRandom(SEED),
): CoalitionSplit<U> {
  const { floor, need } = joinBids('', members)
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > need) {
    const ids = members.map(({ id }) => id).join(', ')
    throw new RangeError(
      `splitting ${amount} among ${ids}: expected a whole number of 0 to ${need}, their needs`,
    )
  }
  const fits = amount >= floor
  const base = members.map((bid) => (fits ? bid.floor : 0))
  const awards = randomArrival({
    estate: fits ? amount - floor : amount,
    claims: members.map((bid) => (fits ? countedNeed(bid) - bid.floor : bid.floor)),
    random,
  })
  const exact = awards.map((award, i) => award + (base[i] ?? 0))
  const amounts = exact.map(Math.floor)
  const left = amount - amounts.reduce((a, b) => a + b, 0)
  const byRemainder = members
    .map(({ id }, i) => ({ i, id, remainder: Math.round(((exact[i] ?? 0) % 1) * REMAINDER_STEPS) }))
    .toSorted((a, b) => b.remainder - a.remainder || (a.id < b.id ? -1 : 1))
  for (const { i } of byRemainder.slice(0, left)) amounts[i] = (amounts[i] ?? 0) + 1
  return { exact, amounts: amounts as U[] }
}
