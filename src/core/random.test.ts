import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { seededRandom, shuffle } from './random.ts'

const draws = (seed: number, count: number) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random())
}

/** The sum of squared deviations from equal counts, each over the expected count. */
const chiSquare = (counts: readonly number[]) => {
  const expected = counts.reduce((a, b) => a + b, 0) / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

void describe('core/random', () => {
  void test('a seed gives its sequence for ever', () => {
    assert.deepEqual(
      draws(1, 3).map((x) => x * 2 ** 32),
      [2_420_951_833, 2_513_034_076, 3_847_892_949],
    )
  })

  void test('equal seeds agree and distinct seeds differ, above 32 bits too', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (seed, other) => {
        assert.deepEqual(draws(seed, 4), draws(seed, 4))
        if (seed !== other) assert.notDeepEqual(draws(seed, 4), draws(other, 4))
      }),
    )
    assert.notDeepEqual(draws(5, 4), draws(5 + 2 ** 32, 4))
  })

  void test('draws fill [0, 1) evenly, one after the other and across neighbouring seeds', () => {
    const cells = (values: readonly number[]) => {
      const counts = Array.from({ length: 10 }, () => 0)
      for (const value of values) {
        assert.ok(value >= 0 && value < 1)
        const cell = Math.floor(value * 10)
        counts[cell] = (counts[cell] ?? 0) + 1
      }
      return counts
    }
    // 27.9 is exceeded by chance once in 1000 with 9 degrees of freedom.
    assert.ok(chiSquare(cells(draws(7, 20_000))) < 27.9)
    const firsts = Array.from({ length: 20_000 }, (_, seed) => draws(seed, 1)[0] ?? NaN)
    assert.ok(chiSquare(cells(firsts)) < 27.9)
  })

  void test('a shuffle makes every order equally often', () => {
    const random = seededRandom(3)
    const counts = new Map<string, number>()
    for (let i = 0; i < 6000; i += 1) {
      const items = ['a', 'b', 'c']
      shuffle(items, random)
      counts.set(items.join(''), (counts.get(items.join('')) ?? 0) + 1)
    }
    assert.equal(counts.size, 6)
    assert.ok(chiSquare([...counts.values()]) < 20.5)
  })

  void test('a seed that is no whole number is refused', () => {
    assert.throws(() => seededRandom(0.5), /seeding a generator: expected a whole number, got 0.5/)
  })
})
