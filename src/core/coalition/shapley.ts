import { coalitionValues, type Game, lowestPlayer } from './game.ts'

/**
 * The Shapley value: what each player adds to those before it, averaged over all orders in which
 * the players could arrive.
 *
 * Objective: the only division that is efficient (sums to what all make together), symmetric,
 * gives nothing to a null player (one that adds nothing to any coalition) and is additive in the
 * game.
 * Constraints: up to 20 players; beyond, see shapley-sampling.ts.
 * Complexity: 2^n calls of the game, n 2^(n-1) additions, 8 * 2^n bytes.
 * Reference: L. S. Shapley, "A value for n-person games", 1953.
 *
 *   v(S) = |S|^2, 2 players                              ->  2, 2
 *   gloves, 1 when S has player 0 and one of 1 and 2     ->  2/3, 1/6, 1/6
 *   100 shared by claims of 100, 200, 300                ->  33 1/3, 33 1/3, 33 1/3
 *
 * What a player adds to coalitions of one size is summed before it is divided, so that a game of
 * whole numbers keeps exact sums, and players who are alike get the same bits.
 */
export function shapleyValue(game: Game, players: number): number[] {
  const values = coalitionValues(game, players)
  const added = new Float64Array(players * players) // row: player, column: size of those before it
  const lost = new Float64Array(players * players) // to rounding (Kahan, 1965)
  for (let before = 0; before < values.length; before += 1) {
    const without = values[before] ?? 0
    const size = sizeOf(before)
    const absent = ~before & (values.length - 1)
    for (let rest = absent; rest !== 0; rest &= rest - 1) {
      const player = lowestPlayer(rest)
      const cell = player * players + size
      const sum = added[cell] ?? 0
      const adding = (values[before | (1 << player)] ?? 0) - without - (lost[cell] ?? 0)
      const newSum = sum + adding
      lost[cell] = newSum - sum - adding
      added[cell] = newSum
    }
  }
  return Array.from({ length: players }, (_, player) => {
    let value = 0
    let coalitions = 1 // of this size among the others: n - 1 choose size
    for (let size = 0; size < players; size += 1) {
      value += (added[player * players + size] ?? 0) / (players * coalitions)
      coalitions = (coalitions * (players - 1 - size)) / (size + 1)
    }
    return value
  })
}

/** The number of set bits (H. S. Warren, Hacker's Delight, 5-1). */
function sizeOf(coalition: number): number {
  let bits = coalition - ((coalition >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
