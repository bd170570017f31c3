import { coalitionValues, type Game, lowestPlayer, playersOf } from './game.ts'

/**
 * Whether a division of what all make together is stable: no coalition makes more on its own than
 * its members are paid.
 *
 * Objective: the largest excess v(S) - x(S) over the coalitions S that are neither empty nor all.
 * Constraints: up to 20 players. x is in the core when it is efficient and no excess is above 0,
 * in the (strong) epsilon-core when no excess is above epsilon, the cost of leaving.
 * Complexity: 2^n calls of the game, 16 * 2^n bytes.
 * Reference: D. B. Gillies, 1959; L. S. Shapley and M. Shubik, 1966 (epsilon-core).
 *
 *   majority of 3 wins 1, paid 1/3 each                  ->  blocked by 0, 1: excess 1/3
 *   the same, epsilon 1/3                                ->  inside
 *   100 shared by claims of 100, 200, 300, paid 0, 0, 90 ->  refused: 10 is not shared out
 */
export type CoreExcess = {
  /** -Infinity when there is no coalition between nobody and all. */
  readonly excess: number
  /** Attains the excess; of several the first, counting coalitions as binary numbers. */
  readonly coalition: readonly number[]
  /** v(all) - x(all): 0 when the payoff is efficient. */
  readonly unshared: number
}

export function coreExcess(game: Game, payoff: readonly number[]): CoreExcess {
  const values = coalitionValues(game, payoff.length)
  const paid = new Float64Array(values.length)
  let excess = -Infinity
  let blocking = 0
  for (let coalition = 1; coalition < values.length; coalition += 1) {
    const pay = (paid[coalition & (coalition - 1)] ?? 0) + (payoff[lowestPlayer(coalition)] ?? 0)
    paid[coalition] = pay
    const here = (values[coalition] ?? 0) - pay
    if (here > excess && coalition < values.length - 1) {
      excess = here
      blocking = coalition
    }
  }
  const unshared = (values.at(-1) ?? 0) - (paid.at(-1) ?? 0)
  return { excess, coalition: playersOf(blocking), unshared }
}

export type CoreMembership =
  | { readonly inside: true }
  | { readonly inside: false; readonly reason: string; readonly coalition: readonly number[] }

export type CoreOptions = {
  /** What a coalition may miss out on and still stay. */
  readonly epsilon?: number
  /** Slack for rounding. */
  readonly tolerance?: number
}

export function inCore(
  game: Game,
  payoff: readonly number[],
  { epsilon = 0, tolerance = 1e-9 }: CoreOptions = {},
): CoreMembership {
  const { excess, coalition, unshared } = coreExcess(game, payoff)
  if (Math.abs(unshared) > tolerance) {
    const paid = payoff.reduce((a, b) => a + b, 0)
    const reason = `the payoffs sum to ${paid}, but all players together make ${paid + unshared}`
    return { inside: false, reason, coalition: payoff.map((_, player) => player) }
  }
  if (excess > epsilon + tolerance) {
    const allowed = epsilon === 0 ? '' : `, above the epsilon of ${epsilon}`
    const who =
      coalition.length === 1 ? `player ${coalition[0]}` : `players ${coalition.join(', ')} together`
    const reason = `${who} would make ${excess} more alone than paid here${allowed}`
    return { inside: false, reason, coalition }
  }
  return { inside: true }
}
