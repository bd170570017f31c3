import type { Unit } from '../units.ts'

/**
 * What one bidder asks of a market in one unit, whole units throughout.
 *
 * `floor` is the disagreement point: what it must have. `need` is what it could use now; below the
 * floor it counts as the floor, above the ceiling as the ceiling. `weight` is its say when there is
 * less than everyone needs.
 */
export type Bid<U extends Unit<string>> = {
  readonly id: string
  readonly floor: U
  readonly need: U
  readonly ceiling: U
  readonly weight: number
}

/** The need that counts: within floor and ceiling. */
export const countedNeed = <U extends Unit<string>>(bid: Bid<U>): U =>
  bid.need < bid.floor ? bid.floor : bid.need > bid.ceiling ? bid.ceiling : bid.need
