import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { isInLane, laneFactor, laneFactorFor, startCredits, stepCredits } from './lane.ts'

void describe('credits', () => {
  each<{
    name: string
    before: number
    seconds: number
    used: number
    hasIdleCpu?: boolean
    gives: number
  }>(
    [
      { name: 'grow by the time that passes', before: 0, seconds: 1, used: 0, gives: 1 },
      { name: 'are never more than 2 s', before: 0, seconds: 5, used: 0, gives: 2 },
      { name: 'stay while the entitlement is used', before: 1.2, seconds: 3, used: 1, gives: 1.2 },
      { name: 'shrink by use above it', before: 0.25, seconds: 1, used: 1.5, gives: -0.25 },
      { name: 'are never less than the most debt', before: 0, seconds: 9, used: 2, gives: -1.5 },
      {
        name: 'end by use of idle CPU, without a debt',
        before: 1,
        seconds: 9,
        used: 2,
        hasIdleCpu: true,
        gives: 0,
      },
      {
        name: 'come back beside idle CPU, whatever is used',
        before: -1.5,
        seconds: 1,
        used: 2,
        hasIdleCpu: true,
        gives: -0.5,
      },
      {
        name: 'come sooner by using less, beside idle CPU too',
        before: -0.5,
        seconds: 1,
        used: 0,
        hasIdleCpu: true,
        gives: 0.5,
      },
    ],
    ({ before, seconds, used, hasIdleCpu = false, gives }) => {
      const spell = { seconds, usedCores: used, entitledCores: 1, hasIdleCpu }
      assert.ok(Math.abs(stepCredits(before, spell) - gives) < 1e-12)
    },
  )

  void test('count in seconds of the entitlement, whatever its size', () => {
    const of = (cores: number) =>
      stepCredits(0.5, {
        seconds: 1,
        usedCores: 1.5 * cores,
        entitledCores: cores,
        hasIdleCpu: false,
      })
    assert.ok(Math.abs(of(0.1) - of(10)) < 1e-12)
  })

  void test('whoever is entitled to nothing has none', () => {
    for (const entitledCores of [0, -1, NaN]) {
      const spell = { seconds: 60, usedCores: 0, entitledCores, hasIdleCpu: false }
      assert.equal(isInLane(stepCredits(2, spell)), false)
    }
  })

  void test('a hog that starts is not in the lane, nor is it after any sample', () => {
    let credits = startCredits
    for (let i = 0; i < 20; i += 1) {
      assert.equal(isInLane(credits), false)
      credits = stepCredits(credits, {
        seconds: 0.25,
        usedCores: 2,
        entitledCores: 1,
        hasIdleCpu: false,
      })
    }
  })

  void test('cutting a spell into samples changes nothing but the bounds', () => {
    const cores = fc.double({ min: 0.5, max: 1.5, noNaN: true })
    fc.assert(
      fc.property(cores, fc.integer({ min: 1, max: 8 }), (usedCores, samples) => {
        const spell = { seconds: 0.5, usedCores, entitledCores: 1, hasIdleCpu: false }
        let credits = 0.5
        for (let i = 0; i < samples; i += 1) {
          credits = stepCredits(credits, { ...spell, seconds: 0.5 / samples })
        }
        assert.ok(Math.abs(credits - stepCredits(0.5, spell)) < 1e-9)
      }),
    )
  })
})

void describe('the factor of the lane', () => {
  each(
    [
      { name: 'is 1 in debt', credits: -0.25, gives: 1 },
      { name: 'is 1 without credits', credits: 0, gives: 1 },
      { name: 'is 10 with the first', credits: 0.01, gives: 10 },
      { name: 'is all of it with a quarter of a second', credits: 0.25, gives: 256 },
      { name: 'is no more with more', credits: 2, gives: 256 },
    ],
    ({ credits, gives }) => assert.ok(Math.abs(laneFactor(credits, 256) / gives - 1) < 1e-12),
  )

  void test('never falls as credits grow, and takes no more than five values', () => {
    const factors = Array.from({ length: 300 }, (_, i) => laneFactor(-0.5 + i / 100, 256))
    assert.ok(factors.every((factor, i) => factor >= (factors[i - 1] ?? 0)))
    assert.ok(new Set(factors).size <= 5)
  })

  each(
    [
      { name: 'is 1000 for small entitlements', largest: 0.1, gives: 1000 },
      { name: 'is what the kernel takes for larger ones', largest: 4, gives: 64 },
      { name: 'is 64 at least', largest: 64, gives: 64 },
      { name: 'is 1000 where nobody is entitled to anything', largest: 0, gives: 1000 },
    ],
    ({ largest, gives }) => assert.equal(laneFactorFor(largest), gives),
  )
})
