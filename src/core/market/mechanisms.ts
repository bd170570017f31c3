/**
 * A mechanism says how fast each bid's share rises as the common level rises (its slope), how the
 * level is found and what it costs (`solve`), and what the next whole unit is worth (`unit`). It goes
 * over all bids by itself: a call for each of them took a quarter of the time of a clearing.
 */
import type { MechanismName } from './mechanism-names.ts'
import { clearByPrice } from './primal-dual.ts'
import type { Scratch } from './scratch.ts'
import { type Vessels, waterLevel } from './water-level.ts'
import type { UnitGain } from './whole-units.ts'

export type Mechanism = {
  /** Writes the slopes of bids with these weights and caps. */
  readonly setSlopes: (vessels: Vessels, weights: Float64Array) => void
  readonly solve: (vessels: Vessels, scratch: Scratch, startPrice: number) => Solution
  readonly unit: UnitGain
}

export type Solution = {
  readonly level: number
  readonly price: number
  readonly iterations?: number
}

/**
 * Maximises the sum of weight x log(above the floor). The gradient, weight / above, is the same price
 * for all that are not capped, so what is above the floor is weight x level, level = 1 / price.
 */
const nash: Mechanism = {
  setSlopes: ({ count, slopes }, weights) => {
    for (let i = 0; i < count; i++) slopes[i] = weights[i]!
  },
  solve: (vessels, scratch) => {
    const { level } = waterLevel(vessels, scratch)
    return { level, price: 1 / level }
  },
  unit: {
    gain: (slope, units) => (units === 0 ? Infinity : slope * Math.log1p(1 / units)),
    countAbove: nashCountAbove,
  },
}

/**
 * Equal fractions of what each asks above its floor, times its weight. What a capped bid leaves goes
 * to the others (lexicographic maximin), so nothing is left lying. The price is the rise of the
 * common fraction that one more unit of capacity would bring.
 */
const kalaiSmorodinsky: Mechanism = {
  setSlopes: ({ count, slopes, caps }, weights) => {
    for (let i = 0; i < count; i++) slopes[i] = weights[i]! * caps[i]!
  },
  solve: (vessels, scratch) => {
    const { level, rise } = waterLevel(vessels, scratch)
    return { level, price: rise }
  },
  unit: {
    gain: (slope, units) => -units / slope,
    countAbove: ({ count, slopes, caps }, level, units) => {
      let sum = 0
      for (let i = 0; i < count; i++) {
        const slope = slopes[i]!
        const cap = caps[i]!
        let above = Math.min(cap, Math.ceil(slope * level))
        while (above > 0 && (above - 1) / slope >= level) above--
        while (above < cap && above / slope < level) above++
        sum += units[i] = above
      }
      return sum
    },
  },
}

export const mechanisms: Readonly<Record<MechanismName, Mechanism>> = {
  nash,
  'kalai-smorodinsky': kalaiSmorodinsky,
  'primal-dual': { ...nash, solve: clearByPrice },
}

function nashCountAbove(
  { count, slopes, caps }: Vessels,
  level: number,
  units: Float64Array,
): number {
  let sum = 0
  for (let i = 0; i < count; i++) {
    const cap = caps[i]!
    // Units keep within 1 of slope x level, so a bid well past its cap need not be asked.
    const isFull = slopes[i]! * level > cap + 1
    sum += units[i] = isFull ? cap : Math.min(nashUnitsAbove(slopes[i]!, level), cap)
  }
  return sum
}

/**
 * How many units k = 0, 1, ... have slope x log((k + 1) / k) > 1 / level, which is
 * k < 1 / (exp(1 / (slope x level)) - 1); for large z = slope x level that is z - 1/2 + 1/(12 z) -
 * 1/(720 z^3), to within 1e-13 from z = 64 on. Near a whole number the gains themselves decide, so
 * that this never contradicts `gain`.
 */
function nashUnitsAbove(slope: number, level: number): number {
  const z = slope * level
  const inverse = 1 / z
  const bound =
    z > 64 ? z - 0.5 + inverse * (1 / 12 - inverse * inverse * (1 / 720)) : 1 / Math.expm1(inverse)
  let units = Math.max(1, Math.ceil(bound))
  if (Math.abs(bound - Math.round(bound)) < 1e-9 + z * 1e-13) {
    const { gain } = nash.unit
    while (units > 1 && gain(slope, units - 1) <= 1 / level) units--
    while (gain(slope, units) > 1 / level) units++
  }
  return units
}
