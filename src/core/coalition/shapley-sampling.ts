import { type Random, shuffle } from '../random.ts'
import type { Game } from './game.ts'

/**
 * The Shapley value by sampling: what each player adds to those before it, averaged over orders
 * of arrival drawn at random.
 *
 * Objective: an unbiased estimate of the Shapley value with an interval for each player.
 * Constraints: any number of players; efficient whatever is drawn, since in each order the
 * additions telescope to what all make together; a player's estimate lies between the least and
 * the most that it adds to any coalition.
 * Complexity: n calls of the game a sample; the interval narrows with the root of the samples.
 * Reference: J. Castro, D. Gomez, J. Tejada, "Polynomial calculation of the Shapley value based
 * on sampling", 2009.
 *
 *   additive game, any samples                  ->  exact, half widths 0
 *   a player that adds 0 or c, half of each     ->  c / 2, half width 0.03 c at 1000 samples
 *   the same at 4000 samples                    ->  c / 2, half width 0.015 c
 */
export type SampledShapley = {
  readonly values: readonly number[]
  /** `z` standard errors: the exact value lies within it for 95 % of seeds at z = 1.96. */
  readonly halfWidths: readonly number[]
  readonly samples: number
}

export type Sampling = {
  readonly random: Random
  readonly samples?: number
  readonly z?: number
}

/** At 1000 the interval of a player that adds between 0 and c is at most 0.031 c either way. */
const SAMPLES = 1000
const Z_95 = 1.96

export function sampleShapley(
  game: Game,
  players: number,
  { random, samples = SAMPLES, z = Z_95 }: Sampling,
): SampledShapley {
  if (!Number.isSafeInteger(samples) || samples < 2) {
    throw new RangeError(
      `sampling the Shapley value: expected samples to be a whole number of 2 or more, got ${samples}`,
    )
  }
  const order = Array.from({ length: players }, (_, player) => player)
  const sums = new Float64Array(players)
  const squares = new Float64Array(players) // of distances from the mean (Welford, 1962)
  const members = new Set<number>()
  for (let drawn = 1; drawn <= samples; drawn += 1) {
    shuffle(order, random)
    members.clear()
    let before = 0
    for (const player of order) {
      members.add(player)
      const after = game(members)
      const added = after - before
      const sum = sums[player] ?? 0
      const newSum = sum + added
      if (drawn > 1) {
        squares[player] =
          (squares[player] ?? 0) + (added - sum / (drawn - 1)) * (added - newSum / drawn)
      }
      sums[player] = newSum
      before = after
    }
  }
  return {
    values: Array.from(sums, (sum) => sum / samples),
    halfWidths: Array.from(squares, (sum) => z * Math.sqrt(sum / (samples - 1) / samples)),
    samples,
  }
}
