import type { Random } from '../random.ts'
import { capacityGame, checkClaims } from './capacity-game.ts'
import { MAX_LISTED_PLAYERS } from './game.ts'
import { sampleShapley } from './shapley-sampling.ts'
import { shapleyValue } from './shapley.ts'

export type Arrival = {
  readonly estate: number
  readonly claims: readonly number[]
  /** Drawn from only when there are too many claims for the exact value. */
  readonly random: Random
}

/**
 * The random-arrival rule: claimants come in random order, each takes its claim while the estate
 * lasts, and gets what it takes on average. This is the Shapley value of the capacity game.
 *
 * Objective: the Shapley value, exact up to 20 claims above 0 and sampled for more.
 * Constraints: the estate at most the sum of claims. Awards sum to the estate (but for rounding),
 * each is between 0 and its claim, equal claims get equal awards, and none falls when the estate
 * grows. The order of the claims does not matter, to the last bit.
 * Complexity: 2^n for n claims above 0, or 1000 orders of n arrivals.
 * Reference: B. O'Neill, 1982.
 *
 *   200 by claims of 100, 200, 300  ->  33 1/3, 83 1/3, 83 1/3
 *   200 by claims of 100, 200, 0    ->  50, 150, 0
 *   300 by claims of 100, 200       ->  100, 200
 */
export function randomArrival({ estate, claims, random }: Arrival): number[] {
  if (checkClaims(estate, claims) === estate) return [...claims]
  // A claim of nothing takes nothing, whoever comes first; where there is nothing, so does any claim.
  const claimants = claims
    .map((claim, player) => ({ player, claim }))
    .filter(({ claim }) => claim > 0 && estate > 0)
    .toSorted((a, b) => a.claim - b.claim)
  const counted = claimants.map(({ claim }) => claim)
  const game = capacityGame(estate, counted)
  const values =
    counted.length <= MAX_LISTED_PLAYERS
      ? shapleyValue(game, counted.length)
      : likeForLike(sampleShapley(game, counted.length, { random }).values, counted)
  const awards = claims.map(() => 0)
  for (const [rank, { player, claim }] of claimants.entries()) {
    awards[player] = Math.min(values[rank] ?? 0, claim)
  }
  return awards
}

/** Equal claims are interchangeable: their mean is a better estimate for each, and a fair one. */
function likeForLike(values: readonly number[], ascending: readonly number[]): number[] {
  const means: number[] = []
  while (means.length < values.length) {
    const from = means.length
    const to = ascending.lastIndexOf(ascending[from] ?? 0) + 1
    const mean = values.slice(from, to).reduce((a, b) => a + b, 0) / (to - from)
    for (let i = from; i < to; i += 1) means.push(mean)
  }
  return means
}
