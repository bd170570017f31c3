/** Shares an amount among bids by a mechanism: exactly, in whole units, with its certificate. */
import type { Unit } from '../units.ts'
import type { Bid } from './bid.ts'
import { type Certificate, certify } from './certificate.ts'
import type { Mechanism } from './mechanisms.ts'
import { wholeUnits } from './whole-units.ts'

export type Shared = {
  readonly price: number | null
  readonly shares: Float64Array
  readonly units: Float64Array
  readonly certificate: Certificate
  readonly iterations?: number
}

export function share(at: {
  readonly bids: readonly Bid<Unit<string>>[]
  readonly mechanism: Mechanism
  readonly amount: number
  /** How much of the amount each can take. */
  readonly caps: Float64Array
  readonly capacity: number
  readonly startPrice: number
}): Shared {
  const { bids, mechanism, amount, caps, capacity } = at
  const slopes = new Float64Array(bids.length)
  for (let i = 0; i < bids.length; i++) slopes[i] = mechanism.slope(bids[i]!.weight, caps[i]!)
  const vessels = { amount, slopes, caps }
  const { level, price, ...rest } = mechanism.solve(vessels, at.startPrice)
  const shares = new Float64Array(bids.length)
  for (let i = 0; i < bids.length; i++) shares[i] = Math.min(caps[i]!, slopes[i]! * level)
  const isFirst = (a: number, b: number) => comesFirst(bids[a]!, bids[b]!)
  return {
    price: Number.isFinite(price) ? price : null,
    shares,
    units: wholeUnits(vessels, { level, unit: mechanism.unit, isFirst }),
    certificate: certify(vessels, { capacity, level, shares }),
    ...rest,
  }
}

const comesFirst = (a: Bid<Unit<string>>, b: Bid<Unit<string>>): boolean =>
  a.weight === b.weight ? a.id < b.id : a.weight > b.weight
