import type { Random } from '../../../core/random.ts'

/** What is drawn from a sequence of random numbers. */
export type Chance = {
  readonly is: (probability: number) => boolean
  readonly between: (least: number, most: number) => number
  /** Evenly on a logarithmic scale. */
  readonly spread: (least: number, most: number) => number
  /** Both ends included. */
  readonly whole: (least: number, most: number) => number
  readonly oneOf: <T>(all: readonly T[]) => T
}

export function chanceFrom(random: Random): Chance {
  const between = (least: number, most: number): number => least + (most - least) * random()
  const whole = (least: number, most: number): number => Math.floor(between(least, most + 1))
  return {
    is: (probability) => random() < probability,
    between,
    spread: (least, most) => least * (most / least) ** random(),
    whole,
    oneOf: (all) => {
      const found = all[whole(0, all.length - 1)]
      if (found === undefined)
        throw new RangeError('drawing one of several: expected some, got none')
      return found
    },
  }
}
