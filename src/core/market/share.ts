/** Shares an amount among bids by a mechanism: exactly, in whole units, with its certificate. */
import type { Unit } from '../units.ts'
import type { Bid } from './bid.ts'
import { type Certificate, certify } from './certificate.ts'
import type { Mechanism } from './mechanisms.ts'
import type { Scratch } from './scratch.ts'
import { wholeUnits } from './whole-units.ts'

/** `shares` and `units` stand in the scratch: valid until the next clearing. */
export type Shared = {
  readonly price: number | null
  readonly shares: Float64Array
  readonly units: Float64Array
  readonly certificate: Certificate
  readonly iterations: number | undefined
}

export function share(at: {
  readonly bids: readonly Bid<Unit<string>>[]
  readonly mechanism: Mechanism
  readonly amount: number
  /** How much of the amount each can take. */
  readonly caps: Float64Array
  readonly capacity: number
  readonly startPrice: number
  readonly scratch: Scratch
}): Shared {
  const { bids, mechanism, amount, caps, capacity, scratch } = at
  const { weights, slopes, shares } = scratch
  const count = bids.length
  const vessels = { count, amount, slopes, caps }
  mechanism.setSlopes(vessels, weights)
  const { level, price, iterations } = mechanism.solve(vessels, scratch, at.startPrice)
  for (let i = 0; i < count; i++) shares[i] = Math.min(caps[i]!, slopes[i]! * level)
  const isFirst = (a: number, b: number) => comesFirst(bids[a]!, bids[b]!)
  return {
    price: Number.isFinite(price) ? price : null,
    shares,
    units: wholeUnits(vessels, scratch, { level, unit: mechanism.unit, isFirst }),
    certificate: certify(vessels, { capacity, level, shares }),
    iterations,
  }
}

const comesFirst = (a: Bid<Unit<string>>, b: Bid<Unit<string>>): boolean =>
  a.weight === b.weight ? a.id < b.id : a.weight > b.weight
