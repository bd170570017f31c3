import type { Game } from './game.ts'

/**
 * The capacity game: an estate that is less than the claims on it. A coalition can count on what
 * is left when all others have had their claims in full: v(S) = max(0, estate - claims outside S).
 *
 * Objective: the value of each coalition, for the Shapley value and core to divide by.
 * Constraints: estate and claims 0 or more, the estate at most the sum of claims. The game is
 * convex (who joins later adds more), so its core is not empty and holds the Shapley value.
 * Complexity: O(|S|) a call.
 * Reference: B. O'Neill, "A problem of rights arbitration from the Talmud", 1982 (the bankruptcy
 * game).
 *
 *   estate 200, claims 100, 200, 300, coalition of the last   ->  0
 *   the same, coalition of the last two                       ->  100
 *   the same, all                                             ->  200
 */
export function capacityGame(estate: number, claims: readonly number[]): Game {
  const beyond = checkClaims(estate, claims) - estate
  return (members) => {
    let claimed = 0
    for (const player of members) claimed += claims[player] ?? 0
    return Math.max(0, claimed - beyond)
  }
}

/** Returns the sum of the claims. */
export function checkClaims(estate: number, claims: readonly number[]): number {
  const sharing = `sharing ${estate} by claims`
  let sum = 0
  for (const [player, claim] of claims.entries()) {
    if (!(claim >= 0 && claim < Infinity)) {
      throw new RangeError(`${sharing}: expected claim ${player} to be 0 or more, got ${claim}`)
    }
    sum += claim
  }
  if (!(estate >= 0 && estate <= sum)) {
    throw new RangeError(
      `${sharing}: expected the estate to be 0 to ${sum}, the sum of the claims, got ${estate}`,
    )
  }
  return sum
}
