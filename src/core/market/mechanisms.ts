/**
 * A mechanism says how fast each bid's share rises as the common level rises (`slope`), how the level
 * is found and what it costs (`solve`), and what the next whole unit is worth to a bid (`unit`).
 */
import { clearByPrice } from './primal-dual.ts'
import type { Scratch } from './scratch.ts'
import { type Vessels, waterLevel } from './water-level.ts'
import type { UnitGain } from './whole-units.ts'

export const mechanismNames = ['nash', 'kalai-smorodinsky', 'primal-dual'] as const
export type MechanismName = (typeof mechanismNames)[number]

export type Mechanism = {
  readonly slope: (weight: number, width: number) => number
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
  slope: (weight) => weight,
  solve: (vessels, scratch) => {
    const { level } = waterLevel(vessels, scratch)
    return { level, price: 1 / level }
  },
  unit: {
    gain: (slope, units) => (units === 0 ? Infinity : slope * Math.log1p(1 / units)),
    unitsAbove: nashUnitsAbove,
  },
}

/**
 * Equal fractions of what each asks above its floor, times its weight. What a capped bid leaves goes
 * to the others (lexicographic maximin), so nothing is left lying. The price is the rise of the
 * common fraction that one more unit of capacity would bring.
 */
const kalaiSmorodinsky: Mechanism = {
  slope: (weight, width) => weight * width,
  solve: (vessels, scratch) => {
    const { level, rise } = waterLevel(vessels, scratch)
    return { level, price: rise }
  },
  unit: {
    gain: (slope, units) => -units / slope,
    unitsAbove: (slope, level) => {
      let units = Math.ceil(slope * level)
      while (units > 0 && (units - 1) / slope >= level) units--
      while (units / slope < level) units++
      return units
    },
  },
}

export const mechanisms: Readonly<Record<MechanismName, Mechanism>> = {
  nash,
  'kalai-smorodinsky': kalaiSmorodinsky,
  'primal-dual': { ...nash, solve: clearByPrice },
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
