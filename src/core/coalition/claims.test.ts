// The capacity game, the laws of both rules that share by claims, and the random-arrival rule.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { seededRandom } from '../random.ts'
import { capacityGame } from './capacity-game.ts'
import { inCore } from './core-membership.ts'
import { coalitionValues } from './game.ts'
import { randomArrival } from './random-arrival.ts'
import { shapleyValue } from './shapley.ts'
import { talmud } from './talmud.ts'

const close = (got: readonly number[], want: readonly number[], within = 1e-6) => {
  assert.equal(got.length, want.length)
  for (const [i, value] of got.entries()) {
    assert.ok(Math.abs(value - (want[i] ?? NaN)) <= within, `${i}: got ${value}, want ${want[i]}`)
  }
}
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const arrive = (estate: number, claims: readonly number[]) =>
  randomArrival({ estate, claims, random: seededRandom(1) })

/** Whole claims, and an estate that is at most their sum. */
const problem = (maxLength: number, minLength = 1) =>
  fc
    .array(fc.integer({ min: 0, max: 1000 }), { minLength, maxLength })
    .chain((claims) =>
      fc.record({ claims: fc.constant(claims), estate: fc.integer({ min: 0, max: sum(claims) }) }),
    )

void describe('core/coalition/capacity-game', () => {
  void test('a coalition counts on what is left when all others are paid', () => {
    const game = capacityGame(200, [100, 200, 300])
    assert.equal(game(new Set([2])), 0)
    assert.equal(game(new Set([1, 2])), 100)
    assert.equal(game(new Set([0, 1, 2])), 200)
  })

  void test('it is convex: a player adds no less to a larger coalition', () => {
    fc.assert(
      fc.property(problem(5), ({ estate, claims }) => {
        const values = coalitionValues(capacityGame(estate, claims), claims.length)
        const value = (coalition: number) => values[coalition] ?? NaN
        for (let s = 0; s < values.length; s += 1) {
          for (let t = 0; t < values.length; t += 1) {
            assert.ok(value(s) + value(t) <= value(s | t) + value(s & t))
          }
        }
      }),
    )
  })

  void test('claims that cannot be are refused by name', () => {
    assert.throws(
      () => capacityGame(5, [3, -1]),
      /sharing 5 by claims: expected claim 1 to be 0 or more, got -1/,
    )
    assert.throws(
      () => capacityGame(5, [3, 1]),
      /expected the estate to be 0 to 4, the sum of the claims, got 5/,
    )
    assert.throws(() => talmud(-1, [3]), /expected the estate to be 0 to 3/)
    assert.throws(() => arrive(NaN, [3]), /expected the estate to be 0 to 3/)
  })
})

for (const [rule, share] of Object.entries({ randomArrival: arrive, talmud })) {
  void describe(`core/coalition/${rule}, a division by claims`, () => {
    void test('it shares out the estate, each between 0 and its claim', () => {
      fc.assert(
        fc.property(problem(8), ({ estate, claims }) => {
          const awards = share(estate, claims)
          close([sum(awards)], [estate])
          for (const [i, award] of awards.entries()) {
            assert.ok(award >= 0 && award <= (claims[i] ?? NaN))
          }
        }),
      )
    })

    void test('it lies in the core of the capacity game', () => {
      fc.assert(
        fc.property(problem(8), ({ estate, claims }) => {
          const payoff = share(estate, claims)
          assert.deepEqual(inCore(capacityGame(estate, claims), payoff), { inside: true })
        }),
      )
    })

    void test('a larger estate takes nothing from anybody', () => {
      fc.assert(
        fc.property(problem(7), fc.nat(100), ({ estate, claims }, more) => {
          const awards = share(estate, claims)
          const grown = share(Math.min(estate + more, sum(claims)), claims)
          for (const [i, award] of awards.entries()) {
            assert.ok((grown[i] ?? NaN) >= award - 1e-6)
          }
        }),
      )
    })

    void test('it shares a gain as it shares a loss: awards and shortfalls agree', () => {
      fc.assert(
        fc.property(problem(7), ({ estate, claims }) => {
          const losses = share(sum(claims) - estate, claims)
          close(
            share(estate, claims),
            claims.map((claim, i) => claim - (losses[i] ?? NaN)),
          )
        }),
      )
    })

    void test('the order of the claims does not matter, to the last bit', () => {
      fc.assert(
        fc.property(problem(8), ({ estate, claims }) => {
          const reversed = share(estate, claims.toReversed())
          assert.deepEqual(reversed.toReversed(), share(estate, claims))
        }),
      )
    })
  })
}

void describe('core/coalition/random-arrival', () => {
  each(
    [
      {
        name: 'claims above the estate are alike',
        estate: 200,
        claims: [100, 200, 300],
        gives: [100 / 3, 250 / 3, 250 / 3],
      },
      { name: 'no claim, no award', estate: 200, claims: [100, 200, 0], gives: [50, 150, 0] },
      { name: 'enough for all', estate: 300, claims: [100, 200], gives: [100, 200] },
      { name: 'nothing for all', estate: 0, claims: [100, 200], gives: [0, 0] },
      { name: 'nobody', estate: 0, claims: [], gives: [] },
    ],
    ({ estate, claims, gives }) => close(arrive(estate, claims), gives),
  )

  void test('it is the Shapley value of the capacity game', () => {
    fc.assert(
      fc.property(problem(7), ({ estate, claims }) => {
        close(arrive(estate, claims), shapleyValue(capacityGame(estate, claims), claims.length))
      }),
    )
  })

  void test('claims of nothing cost nothing: 200 of them are still exact', () => {
    const idle = Array.from({ length: 200 }, () => 0)
    close(arrive(200, [...idle, 100, 200, 300]), [...idle, 100 / 3, 250 / 3, 250 / 3])
  })

  void test('where there is nothing, 200 claims cost nothing and get nothing', () => {
    const claims = Array.from({ length: 200 }, () => 1)
    const random = () => assert.fail('drawn')
    close(
      randomArrival({ estate: 0, claims, random }),
      claims.map(() => 0),
    )
  })

  void test('above 20 claims it is still monotonic', () => {
    const grows = problem(24, 21).chain(({ claims, estate }) =>
      fc.record({ claims: fc.constant(claims), estate: fc.constant(estate), less: fc.nat(estate) }),
    )
    fc.assert(
      fc.property(grows, ({ claims, estate, less }) => {
        const more = arrive(estate, claims)
        for (const [i, award] of arrive(less, claims).entries()) {
          assert.ok(award <= (more[i] ?? NaN) + 1e-6)
        }
      }),
      { numRuns: 10 },
    )
  })

  void test('above 20 claims it samples: efficient, bounded, alike for alike', () => {
    const claims = Array.from({ length: 24 }, (_, i) => 100 + 100 * (i % 3))
    const awards = arrive(1500, claims)
    close([sum(awards)], [1500])
    assert.equal(new Set(awards).size, 3)
    assert.deepEqual(
      awards.slice(0, 3),
      [...new Set(awards)].toSorted((a, b) => a - b),
    )
    assert.deepEqual(arrive(1500, claims.toReversed()), awards.toReversed())
    for (const [i, award] of awards.entries()) {
      assert.ok(award > 0 && award <= (claims[i] ?? NaN))
    }
  })
})
