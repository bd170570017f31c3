import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { millicores, millis } from '../units.ts'
import { type CostSearch, type CostSeen, searchLeast } from './cost-search.ts'

const rules = { headroomRatio: 0.05, targetThrottlingRatio: 0.01, idleDecayRatio: 0.005 }

const seen = (given: Partial<CostSeen> = {}): CostSeen => ({
  at: millis(0),
  demandCores: 0.4,
  granted: millicores(420),
  throttledRatio: 0,
  isTooSlow: false,
  floor: millicores(10),
  ceiling: millicores(4000),
  ...given,
})

type Course = {
  readonly enough: number
  readonly clearings: number
  readonly given?: Partial<CostSeen>
}

/** A pod that is throttled below `enough`, a clearing every 15 s, and gets what it bids. */
function run({ enough, clearings, given }: Course): CostSearch[] {
  const course = [searchLeast(undefined, seen(given), rules)]
  for (let i = 1; i < clearings; i++) {
    const before = course.at(-1)
    const granted = before?.amount ?? millicores(420)
    const throttledRatio = granted < enough ? 0.1 : 0
    const now = seen({ at: millis(i * 15_000), granted, throttledRatio, ...given })
    course.push(searchLeast(before, now, rules))
  }
  return course
}
const amounts = (course: readonly CostSearch[]) => course.map(({ amount }) => amount)

void describe('the search for the least CPU', () => {
  each(
    [
      {
        name: 'lowers, steps back, halves, stays',
        of: { enough: 350, clearings: 10 },
        gives: [420, 399, 379, 360, 342, 360, 351, 347, 351, 351],
      },
      {
        name: 'raises first where demand with head-room does not do',
        of: { enough: 450, clearings: 9 },
        gives: [420, 463, 439, 463, 451, 445, 451, 451, 451],
      },
      {
        name: 'keeps to the floor',
        of: { enough: 0, clearings: 5, given: { floor: millicores(390) } },
        gives: [420, 399, 390, 390, 390],
      },
      {
        name: 'and to the ceiling',
        of: { enough: 900, clearings: 4, given: { ceiling: millicores(450) } },
        gives: [420, 450, 450, 450],
      },
    ],
    ({ of, gives }) => assert.deepEqual(amounts(run(of)), gives),
  )

  const before = run({ enough: 350, clearings: 10 }).at(-1)
  const at = millis(150_000)
  const granted = millicores(351)
  each(
    [
      { name: 'moved demand starts it again', given: { demandCores: 0.6 }, gives: 630 },
      { name: 'a little more does not', given: { demandCores: 0.45 }, gives: 351 },
      { name: 'latency counts as throttling does', given: { isTooSlow: true }, gives: 387 },
      { name: 'throttling up to the target is none', given: { throttledRatio: 0.01 }, gives: 351 },
      { name: 'after ten minutes it tries again', given: { at: millis(700_000) }, gives: 333 },
      { name: 'so it does when the clock went back', given: { at: millis(-1) }, gives: 333 },
      { name: 'idle, it decays', given: { demandCores: 0 }, gives: 325 },
      {
        name: 'what was not given proves nothing',
        given: { granted: millicores(300) },
        gives: 351,
      },
      {
        name: 'nor does more than was bid, which did',
        given: { granted: millicores(400) },
        gives: 351,
      },
      {
        name: 'if it did not do, that counts',
        given: { granted: millicores(400), throttledRatio: 0.5 },
        gives: 441,
      },
      {
        name: 'nor is it stepped back to',
        given: { granted: millicores(300), throttledRatio: 0.5 },
        gives: 351,
      },
    ],
    ({ given, gives }) => {
      const { amount, reason } = searchLeast(before, seen({ at, granted, ...given }), rules)
      assert.equal(amount, gives)
      assert.notEqual(reason, '')
    },
  )

  void test('it comes within 2 % of the least that does, and stays there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 3000 }), (enough) => {
        const last = amounts(run({ enough, clearings: 39 })).slice(-3)
        const [amount = 0] = last
        assert.ok(amount >= enough && amount <= enough * 1.021 + 1)
        assert.deepEqual(last, [amount, amount, amount])
      }),
    )
  })

  void test('while it is remembered, what was too little is not tried again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 3000 }), (enough) => {
        const failed = new Set<number>()
        for (const amount of amounts(run({ enough, clearings: 39 }))) {
          assert.ok(!failed.has(amount))
          if (amount < enough) failed.add(amount)
        }
      }),
    )
  })
})
