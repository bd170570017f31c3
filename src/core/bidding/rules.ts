import type { Enforcement } from '../enforcement/enforcements.ts'
import type { MechanismName } from '../market/mechanism-names.ts'
import { type Millicores, millicores } from '../units.ts'

/** What an operator decides about bids and about what follows from a clearing. */
export type BiddingRules = {
  /** Of pods for which nobody chose another. */
  readonly enforcement: Enforcement
  /** Of allocatable: for bursts of the system, and for pods that come before the next clearing. */
  readonly reserveRatio: number
  /** Of a pod that names none. */
  readonly floor: Millicores
  /** Of a request above mean use, and of a strict bid above demand. */
  readonly headroomRatio: number
  /** Idle CPU is not lent as head-room in strict limits. */
  readonly isCostMode: boolean
  /** Needs fall with the price (price-response.ts). */
  readonly respondsToPrice: boolean
  readonly mechanism: MechanismName
  /** Unless a pod opts in by mbcas.io/guaranteed. */
  readonly skipsGuaranteed: boolean
}

export const biddingRules: BiddingRules = {
  enforcement: 'elastic',
  reserveRatio: 0.1,
  floor: millicores(100),
  headroomRatio: 0.15,
  isCostMode: false,
  respondsToPrice: false,
  mechanism: 'nash',
  skipsGuaranteed: true,
}
