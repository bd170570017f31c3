/**
 * A cooperative game: what each set of players could make on its own. Players are 0 to n - 1 and
 * nobody makes nothing, so a game is never asked about the empty set. It must not keep the set it
 * is given, which changes between calls.
 */
export type Game = (members: ReadonlySet<number>) => number

/** 2^20 coalitions take 8 MiB and a fraction of a second; each further player doubles both. */
export const MAX_LISTED_PLAYERS = 20

/**
 * The value of every coalition, at the index whose bit i says whether player i is in it. Each is
 * asked for once, in Gray-code order, so that one player joins or leaves between two calls.
 */
export function coalitionValues(game: Game, players: number): Float64Array {
  if (!Number.isSafeInteger(players) || players < 0 || players > MAX_LISTED_PLAYERS) {
    throw new RangeError(
      `listing all coalitions of ${players} players: expected at most ${MAX_LISTED_PLAYERS}` +
        ' players; for the Shapley value of more, use sampleShapley',
    )
  }
  const values = new Float64Array(2 ** players)
  const members = new Set<number>()
  let coalition = 0
  for (let i = 1; i < values.length; i += 1) {
    const player = lowestPlayer(i)
    if (!members.delete(player)) members.add(player)
    coalition ^= 1 << player
    const value = game(members)
    if (!Number.isFinite(value)) {
      const named = playersOf(coalition).join(', ')
      throw new RangeError(
        `valuing the coalition of players ${named}: expected a finite number, got ${value}`,
      )
    }
    values[coalition] = value
  }
  return values
}

/** The players of a coalition given as bits, in ascending order. */
export function playersOf(coalition: number): number[] {
  const players: number[] = []
  for (let rest = coalition; rest !== 0; rest &= rest - 1) players.push(lowestPlayer(rest))
  return players
}

export const lowestPlayer = (coalition: number): number => 31 - Math.clz32(coalition & -coalition)
