import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { capacityGame } from './capacity-game.ts'
import { coalitionValues } from './game.ts'
import { talmud } from './talmud.ts'

const close = (got: readonly number[], want: readonly number[], within = 1e-6) => {
  assert.equal(got.length, want.length)
  for (const [i, value] of got.entries()) {
    assert.ok(Math.abs(value - (want[i] ?? NaN)) <= within, `${i}: got ${value}, want ${want[i]}`)
  }
}
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

/** Two or more whole claims, and an estate that is at most their sum. */
const problem = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength })
    .chain((claims) =>
      fc.record({ claims: fc.constant(claims), estate: fc.integer({ min: 0, max: sum(claims) }) }),
    )

void describe('core/coalition/talmud', () => {
  each(
    [
      { name: 'Mishnah, 100', estate: 100, gives: [100 / 3, 100 / 3, 100 / 3] },
      { name: 'Mishnah, 200', estate: 200, gives: [50, 75, 75] },
      { name: 'Mishnah, 300', estate: 300, gives: [50, 100, 150] },
      {
        name: 'beyond half the claims all lose alike',
        estate: 500,
        gives: [66.67, 166.67, 266.67],
      },
    ],
    ({ estate, gives }) => close(talmud(estate, [100, 200, 300]), gives, 0.01),
  )

  void test('every two share what they got as they would share a contested garment', () => {
    fc.assert(
      fc.property(problem(8), ({ estate, claims }) => {
        const awards = talmud(estate, claims)
        for (const [i, one] of awards.entries()) {
          for (const [j, other] of awards.entries()) {
            if (i === j) continue
            const both = one + other
            const mine = Math.max(0, both - (claims[j] ?? NaN))
            const theirs = Math.max(0, both - (claims[i] ?? NaN))
            close([one], [mine + (both - mine - theirs) / 2])
          }
        }
      }),
    )
  })

  void test('it is the nucleolus: any other division has lexically larger excesses', () => {
    const excesses = (estate: number, claims: readonly number[], payoff: readonly number[]) => {
      const values = coalitionValues(capacityGame(estate, claims), claims.length)
      const all: number[] = []
      for (const [coalition, value] of values.slice(1, -1).entries()) {
        const paid = payoff.filter((_, i) => ((coalition + 1) >> i) % 2 === 1)
        all.push(value - sum(paid))
      }
      return all.toSorted((a, b) => b - a)
    }
    // Awards are whole numbers of 1/24 and moves are whole, so excesses that differ differ by 1/24.
    const moves = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(problem(4), moves, ({ estate, claims }, moves) => {
        const best = talmud(estate, claims)
        const last = claims.length - 1
        const moved = [...moves.slice(0, last), -sum(moves.slice(0, last))]
        const other = best.map((award, i) => award + (moved[i] ?? NaN))
        const [ours, theirs] = [best, other].map((payoff) => excesses(estate, claims, payoff))
        const differs = ours?.findIndex((excess, k) => Math.abs(excess - (theirs?.[k] ?? 0)) > 1e-6)
        assert.equal(
          differs === -1,
          moved.every((move) => move === 0),
        )
        if (differs === undefined || differs === -1) return
        assert.ok((ours?.[differs] ?? NaN) < (theirs?.[differs] ?? NaN))
      }),
    )
  })
})
