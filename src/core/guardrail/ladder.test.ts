import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../../test/each.ts'
import { bottom, climb, type Ladder, type Rung, rungs } from './ladder.ts'
import type { Verdict } from './signals.ts'

type State = Verdict['state']

const after = (from: Ladder, state: State, seconds: number, every = 0.25): Ladder => {
  let ladder = from
  for (let i = 0; i < Math.round(seconds / every); i += 1) ladder = climb(ladder, state, every)
  return ladder
}
const on = (rung: Rung): Ladder => ({ ...bottom, rung })

void describe('the escalation ladder', () => {
  each<{ name: string; from?: Rung; state: State; seconds: number; gives: Rung }>(
    [
      { name: 'a moment is nothing', state: 'bad', seconds: 1, gives: 'monitor' },
      { name: 'bad for 1.3 s warns', state: 'bad', seconds: 1.5, gives: 'warn' },
      { name: 'for 2 s makes others yield', state: 'bad', seconds: 2, gives: 'yield' },
      { name: 'for 2.5 s isolates', state: 'bad', seconds: 2.5, gives: 'isolate' },
      {
        name: 'good for 12 s is not enough',
        from: 'isolate',
        state: 'good',
        seconds: 12,
        gives: 'isolate',
      },
      {
        name: 'good for 13 s steps down once',
        from: 'isolate',
        state: 'good',
        seconds: 13,
        gives: 'yield',
      },
      {
        name: 'good for a minute is over',
        from: 'isolate',
        state: 'good',
        seconds: 60,
        gives: 'monitor',
      },
      { name: 'neither raises nothing', state: 'neither', seconds: 600, gives: 'monitor' },
      {
        name: 'neither does not stick',
        from: 'isolate',
        state: 'neither',
        seconds: 240,
        gives: 'monitor',
      },
    ],
    ({ from = 'monitor', state, seconds, gives }) =>
      assert.equal(after(on(from), state, seconds).rung, gives),
  )

  const trace = fc.array(
    fc.record({
      state: fc.constantFrom<State>('good', 'neither', 'bad'),
      seconds: fc.double({ min: 0.05, max: 5, noNaN: true }),
    }),
    { maxLength: 300 },
  )
  const place = (rung: Rung): number => rungs.indexOf(rung)

  void test('goes one rung at a time, up only while bad and down only while not', () => {
    fc.assert(
      fc.property(trace, (turns) => {
        let ladder = bottom
        for (const { state, seconds } of turns) {
          const next = climb(ladder, state, seconds)
          const moved = place(next.rung) - place(ladder.rung)
          assert.ok(Math.abs(moved) <= 1)
          assert.ok(moved <= 0 || state !== 'good')
          assert.ok(moved >= 0 || state !== 'bad')
          ladder = next
        }
      }),
    )
  })

  void test('does not flap: every step down takes 12.5 s without a bad signal', () => {
    fc.assert(
      fc.property(trace, (turns) => {
        let ladder = bottom
        let calm = 0
        for (const { state, seconds } of turns) {
          calm = state === 'bad' ? 0 : calm + seconds
          const next = climb(ladder, state, seconds)
          if (place(next.rung) < place(ladder.rung)) {
            assert.ok(calm >= 12.5 - 1e-9)
            calm = 0
          }
          ladder = next
        }
      }),
    )
  })

  void test('does not stick: from anywhere, good for a minute is the bottom and bad for 3 s the top', () => {
    fc.assert(
      fc.property(trace, fc.constantFrom(0.1, 0.25, 1), (turns, every) => {
        const anywhere = turns.reduce((l, { state, seconds }) => climb(l, state, seconds), bottom)
        assert.equal(after(anywhere, 'good', 60, every).rung, 'monitor')
        assert.equal(after(anywhere, 'bad', every === 1 ? 4 : 3, every).rung, 'isolate')
      }),
    )
  })
})
