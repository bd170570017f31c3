import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { coreExcess, inCore } from './core-membership.ts'
import type { Game } from './game.ts'

const majority: Game = (s) => (s.size >= 2 ? 1 : 0)
const gloves: Game = (s) => (s.has(0) && s.size > 1 ? 1 : 0)
const third = 1 / 3

void describe('core/coalition/core-membership', () => {
  each(
    [
      {
        name: 'a majority blocks an equal split',
        game: majority,
        payoff: [third, third, third],
        gives: /^players 0, 1 together would make 0.33\d* more alone than paid here$/,
        by: [0, 1],
      },
      {
        name: 'an epsilon above the excess keeps a majority in',
        game: majority,
        payoff: [third, third, third],
        epsilon: 0.34,
      },
      {
        name: 'the epsilon is named when it does not do',
        game: majority,
        payoff: [0.5, 0.25, 0.25],
        epsilon: 0.25,
        gives: /^players 1, 2 together would make 0.5 more .*, above the epsilon of 0.25$/,
        by: [1, 2],
      },
      { name: 'the scarce glove takes all', game: gloves, payoff: [1, 0, 0] },
      {
        name: 'anything less for the scarce glove is blocked',
        game: gloves,
        payoff: [0.8, 0.2, 0],
        gives: /^players 0, 2 together/,
        by: [0, 2],
      },
      {
        name: 'one player alone can block',
        game: (s: ReadonlySet<number>) => s.size,
        payoff: [0, 2],
        gives: /^player 0 would make 1 more alone/,
        by: [0],
      },
      {
        name: 'what is not shared out is no division',
        game: gloves,
        payoff: [0.5, 0, 0],
        gives: /^the payoffs sum to 0.5, but all players together make 1$/,
        by: [0, 1, 2],
      },
      {
        name: 'neither is what is not there',
        game: gloves,
        payoff: [2, 0, 0],
        gives: /^the payoffs sum to 2, but all players together make 1$/,
        by: [0, 1, 2],
      },
      { name: 'one player can only have all', game: () => 5, payoff: [5] },
      { name: 'tolerance forgives rounding', game: gloves, payoff: [1 - 1e-12, 0, 0] },
    ],
    ({ game, payoff, epsilon, gives, by }) => {
      const membership = inCore(game, payoff, epsilon === undefined ? {} : { epsilon })
      assert.equal(membership.inside, gives === undefined)
      if (membership.inside) return
      assert.match(membership.reason, gives ?? /never/)
      assert.deepEqual(membership.coalition, by)
    },
  )

  void test('a tolerance may be set', () => {
    assert.equal(inCore(gloves, [0.99, 0, 0.01]).inside, false)
    assert.equal(inCore(gloves, [0.99, 0, 0.01], { tolerance: 0.02 }).inside, true)
  })

  void test('the excess is the largest of all coalitions but the empty and the full one', () => {
    const whole = fc.integer({ min: -50, max: 50 })
    const values = fc.array(whole, { minLength: 16, maxLength: 16 })
    const payoff = fc.array(whole, { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(values, payoff, (values, payoff) => {
        const bits = (players: readonly number[]) => players.reduce((sum, i) => sum + 2 ** i, 0)
        const excessOf = (players: readonly number[]) =>
          (values[bits(players)] ?? NaN) - players.reduce((sum, i) => sum + (payoff[i] ?? NaN), 0)
        const got = coreExcess((s) => values[bits([...s])] ?? NaN, payoff)
        assert.equal(excessOf(got.coalition), got.excess)
        assert.ok(got.coalition.length > 0 && got.coalition.length < 4)
        for (let coalition = 1; coalition < 15; coalition += 1) {
          const players = [0, 1, 2, 3].filter((i) => Math.floor(coalition / 2 ** i) % 2 === 1)
          assert.ok(excessOf(players) <= got.excess)
        }
        assert.equal(got.unshared, excessOf([0, 1, 2, 3]))
      }),
    )
  })

  void test('more than 20 players are refused', () => {
    const payoff = Array.from({ length: 21 }, () => 0)
    assert.throws(() => inCore(gloves, payoff), /coalitions of 21 players: expected at most 20/)
  })
})
