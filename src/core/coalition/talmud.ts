import { checkClaims } from './capacity-game.ts'

/**
 * The Talmud rule: shares an estate by claims so that the worst-off coalition is as well off as
 * can be.
 *
 * Objective: the nucleolus of the capacity game: of all divisions the one whose excesses, sorted
 * from the largest, come first in lexical order. It is the only rule that divides between every
 * two claimants as the contested garment is: each concedes what it does not claim, the rest is
 * halved.
 * Constraints: the estate at most the sum of claims; each gets between 0 and its claim. Up to half
 * the claims all gain alike until each has half its claim; beyond, all lose alike.
 * Complexity: O(n log n).
 * Reference: R. J. Aumann and M. Maschler, "Game theoretic analysis of a bankruptcy problem from
 * the Talmud", 1985.
 *
 *   100 by claims of 100, 200, 300  ->  33 1/3, 33 1/3, 33 1/3
 *   200                             ->  50, 75, 75
 *   300                             ->  50, 100, 150
 */
export function talmud(estate: number, claims: readonly number[]): number[] {
  const sum = checkClaims(estate, claims)
  const halves = claims.map((claim) => claim / 2)
  if (estate <= sum / 2) return equalAwards(estate, halves)
  const losses = equalAwards(sum - estate, halves)
  return claims.map((claim, player) => claim - (losses[player] ?? 0))
}

/** The same for all, but nobody more than its claim. */
function equalAwards(estate: number, claims: readonly number[]): number[] {
  let left = estate
  let level = Infinity
  for (const [paid, claim] of claims.toSorted((a, b) => a - b).entries()) {
    level = left / (claims.length - paid)
    if (level <= claim) break
    left -= claim
  }
  return claims.map((claim) => Math.min(claim, level))
}
