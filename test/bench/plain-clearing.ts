/**
 * A whole clearing as one would plainly write it, with the same results to the unit: ids checked with
 * a Set, the level found by sorting, whole units given from a heap, and the same certificate. It is
 * no straw man: it keeps its arrays from call to call as ours does, takes the quicker of the two
 * sorts, and its Set finds the hashes of the ids already known from the call before.
 *
 * Only for congested markets: it is a rival and an oracle, not a second implementation.
 */
import { InvalidInput } from '../../src/core/errors.ts'
import { type Certificate, certify } from '../../src/core/market/certificate.ts'
import type { MechanismName } from '../../src/core/market/mechanism-names.ts'
import { mechanisms } from '../../src/core/market/mechanisms.ts'
import type { CpuBid } from '../markets.ts'
import { formShares, makeWork, sortAndSearch, type Work } from './baselines.ts'
import { makeRounding, roundByHeap, type Rounding } from './heap-rounding.ts'
import type { PodMarket } from './pod-markets.ts'

export type PlainWork = Work & {
  readonly slopes: Float64Array
  readonly caps: Float64Array
  readonly shares: Float64Array
  readonly rounding: Rounding
}

export const makePlainWork = (count: number): PlainWork => ({
  ...makeWork(count),
  slopes: new Float64Array(count),
  caps: new Float64Array(count),
  shares: new Float64Array(count),
  rounding: makeRounding(count),
})

export type PlainClearing = {
  readonly amounts: readonly number[]
  readonly exact: readonly number[]
  readonly certificate: Certificate
}

export function clearPlainly(
  { capacity, bids }: PodMarket,
  mechanism: MechanismName,
  work: PlainWork,
): PlainClearing {
  const { slopes, caps, shares, rounding } = work
  const { setSlopes, unit } = mechanisms[mechanism]
  const ids = new Set<string>()
  let floors = 0
  for (let i = 0; i < bids.length; i++) {
    const bid = bids[i] as CpuBid
    if (!isValid(bid)) throw new InvalidInput(`bid "${bid.id}": expected a valid bid`)
    ids.add(bid.id)
    const { floor, need, ceiling, weight } = bid
    const width = Math.min(Math.max(need, floor), ceiling) - floor
    floors += floor
    caps[i] = width
    shares[i] = weight
  }
  if (ids.size !== bids.length) throw new InvalidInput('expected every id to be of one bid only')
  const vessels = { count: bids.length, amount: capacity - floors, slopes, caps }
  setSlopes(vessels, shares)
  const level = sortAndSearch(vessels, work)
  formShares(vessels, level, shares)
  const units = roundByHeap(vessels, { bids, shares, unit, rounding })
  return {
    amounts: bids.map(({ floor }, i) => floor + (units[i] as number)),
    exact: bids.map(({ floor }, i) => floor + (shares[i] as number)),
    certificate: certify(vessels, { capacity, level, shares }),
  }
}

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

const isValid = ({ id, floor, need, ceiling, weight }: CpuBid): boolean =>
  id !== '' &&
  isAmount(floor) &&
  isAmount(need) &&
  isAmount(ceiling) &&
  floor <= ceiling &&
  weight >= 1e-9 &&
  weight <= 1e9
