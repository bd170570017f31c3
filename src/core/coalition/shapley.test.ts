import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { seededRandom } from '../random.ts'
import type { Game } from './game.ts'
import { sampleShapley } from './shapley-sampling.ts'
import { shapleyValue } from './shapley.ts'

const close = (got: readonly number[], want: readonly number[], within = 1e-6) => {
  assert.equal(got.length, want.length)
  for (const [i, value] of got.entries()) {
    assert.ok(Math.abs(value - (want[i] ?? NaN)) <= within, `${i}: got ${value}, want ${want[i]}`)
  }
}
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const everyone = (players: number) => new Set(Array.from({ length: players }, (_, i) => i))

/** Any game of up to 5 players, as a list of its values. */
const anyGame = fc.integer({ min: 1, max: 5 }).chain((players) =>
  fc.record({
    players: fc.constant(players),
    values: valuesFor(players),
    more: valuesFor(players),
  }),
)
function valuesFor(players: number) {
  const size = 2 ** players
  return fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: size, maxLength: size })
}
const gameOf =
  (values: readonly number[]): Game =>
  (members) =>
    members.size === 0 ? 0 : (values[[...members].reduce((bits, i) => bits + 2 ** i, 0)] ?? 0)

/** The definition: the mean over all orders of arrival of what each adds. */
function byDefinition(game: Game, players: number): number[] {
  const sums = Array.from({ length: players }, () => 0)
  let orders = 0
  const arrive = (here: ReadonlySet<number>, added: readonly number[]) => {
    if (here.size === players) {
      orders += 1
      for (const [player, value] of added.entries()) sums[player] = (sums[player] ?? 0) + value
    }
    for (let player = 0; player < players; player += 1) {
      if (here.has(player)) continue
      const joined = new Set([...here, player])
      arrive(joined, added.with(player, game(joined) - game(here)))
    }
  }
  arrive(new Set(), [...sums])
  return sums.map((total) => total / orders)
}

void describe('core/coalition/shapley', () => {
  each(
    [
      {
        name: 'two who make more together share the gain',
        players: 2,
        game: (s: ReadonlySet<number>) => s.size ** 2,
        gives: [2, 2],
      },
      {
        name: 'the one left glove is worth more than either right one',
        players: 3,
        game: (s: ReadonlySet<number>) => (s.has(0) && s.size > 1 ? 1 : 0),
        gives: [2 / 3, 1 / 6, 1 / 6],
      },
      {
        // The airport game (Littlechild and Owen, 1973): each runway metre is shared by its users.
        name: 'each shares the cost of what it needs',
        players: 3,
        game: (s: ReadonlySet<number>) => Math.max(...[...s].map((i) => [10, 20, 40][i] ?? 0)),
        gives: [10 / 3, 10 / 3 + 5, 10 / 3 + 5 + 20],
      },
      { name: 'nobody gets nothing', players: 0, game: () => 1, gives: [] },
    ],
    ({ players, game, gives }) => close(shapleyValue(game, players), gives),
  )

  void test('it is the mean over all orders of arrival', () => {
    fc.assert(
      fc.property(anyGame, ({ players, values }) => {
        close(shapleyValue(gameOf(values), players), byDefinition(gameOf(values), players))
      }),
    )
  })

  void test('it is efficient: the values sum to what all make together', () => {
    fc.assert(
      fc.property(anyGame, ({ players, values }) => {
        close([sum(shapleyValue(gameOf(values), players))], [gameOf(values)(everyone(players))])
      }),
    )
  })

  void test('it is symmetric: players who are alike get the same to the last bit', () => {
    fc.assert(
      fc.property(anyGame, ({ players, values }) => {
        const alike: Game = (s) => gameOf(values)(everyone(s.size))
        assert.equal(new Set(shapleyValue(alike, players)).size, 1)
      }),
    )
  })

  void test('a null player gets nothing and changes nothing for the others', () => {
    fc.assert(
      fc.property(anyGame, ({ players, values }) => {
        const game = gameOf(values)
        const withNull: Game = (s) => game(new Set([...s].filter((player) => player < players)))
        close(shapleyValue(withNull, players + 1), [...shapleyValue(game, players), 0])
      }),
    )
  })

  void test('it is additive: two games at once give the sum of the two', () => {
    fc.assert(
      fc.property(anyGame, ({ players, values, more }) => {
        const [one, other] = [gameOf(values), gameOf(more)]
        const others = shapleyValue(other, players)
        close(
          shapleyValue((s) => one(s) + other(s), players),
          shapleyValue(one, players).map((value, i) => value + (others[i] ?? 0)),
        )
      }),
    )
  })

  void test('20 players are exact, 21 are refused', () => {
    const values = shapleyValue((s) => s.size ** 2, 20)
    close(
      values,
      Array.from({ length: 20 }, () => 20),
    )
    assert.throws(() => shapleyValue((s) => s.size, 21), /use sampleShapley/)
  })
})

void describe('core/coalition/shapley-sampling', () => {
  void test('it is efficient whatever is drawn', () => {
    fc.assert(
      fc.property(anyGame, fc.integer(), ({ players, values }, seed) => {
        const options = { random: seededRandom(seed), samples: 20 }
        const sampled = sampleShapley(gameOf(values), players, options)
        close([sum(sampled.values)], [gameOf(values)(everyone(players))])
      }),
    )
  })

  void test('95 % of the intervals hold the exact value', () => {
    const claims = [3, 5, 8, 13, 21, 34]
    const game: Game = (s) => Math.max(0, sum([...s].map((i) => claims[i] ?? 0)) - 30)
    const exact = shapleyValue(game, claims.length)
    let held = 0
    for (let seed = 0; seed < 100; seed += 1) {
      const options = { random: seededRandom(seed), samples: 200 }
      const { values, halfWidths } = sampleShapley(game, claims.length, options)
      for (const [i, value] of values.entries()) {
        if (Math.abs(value - (exact[i] ?? NaN)) <= (halfWidths[i] ?? NaN)) held += 1
      }
    }
    const ratio = held / (100 * claims.length)
    assert.ok(ratio > 0.92 && ratio < 0.98, `held ${ratio}`)
  })

  void test('four times the samples halve the interval, and z widens it', () => {
    const game: Game = (s) => (s.has(0) && s.size > 15 ? 1 : 0)
    const width = (samples: number, z: number) =>
      sampleShapley(game, 30, { random: seededRandom(1), samples, z }).halfWidths[0] ?? NaN
    // Player 0 adds 0 or 1 in equal parts: 1.96 * 0.5 / sqrt(400).
    close([width(400, 1.96)], [0.049], 0.001)
    close([width(1600, 1.96)], [0.0245], 0.001)
    close([width(400, 1)], [0.025], 0.001)
  })

  void test('two samples that agree give no interval, two that differ the widest', () => {
    const last: Game = (s) => (s.size === 2 ? 1 : 0)
    const widths = Array.from({ length: 20 }, (_, seed) => {
      const options = { random: seededRandom(seed), samples: 2, z: 1 }
      return sampleShapley(last, 2, options).halfWidths[0]
    })
    assert.deepEqual(new Set(widths), new Set([0, 0.5]))
  })

  void test('an additive game is exact for any number of players', () => {
    const game: Game = (s) => sum([...s])
    const { values, halfWidths, samples } = sampleShapley(game, 50, { random: seededRandom(1) })
    assert.deepEqual(values, [...everyone(50)])
    assert.ok(halfWidths.every((width) => width === 0))
    assert.equal(samples, 1000)
  })

  void test('one sample has no interval and is refused', () => {
    assert.throws(
      () => sampleShapley(() => 0, 2, { random: seededRandom(1), samples: 1 }),
      /sampling the Shapley value: expected samples to be a whole number of 2 or more, got 1/,
    )
  })
})
