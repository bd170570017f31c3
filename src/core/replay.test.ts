import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { each } from '../../test/each.ts'
import { figureAt, momentOf, peakOf, recordingOf, type Replay } from './replay.ts'

/** Rows of seconds and a figure. */
const replay = (
  rows: readonly (readonly [number, number])[],
  how: Partial<Omit<Replay, 'recording'>> = {},
): Replay => ({
  recording: recordingOf({
    unit: undefined,
    seconds: rows.map(([seconds]) => seconds),
    figures: rows.map(([, figure]) => figure),
  }),
  scale: 1,
  speed: 1,
  after: 'hold',
  ...how,
})

const rows = [
  [0, 2],
  [10, 0],
  [20, 4],
] as const
const held = replay(rows)
const looped = replay(rows, { after: 'loop' })
const faster = replay(rows, { after: 'loop', scale: 3, speed: 10 })

void describe('core/replay: the figure', () => {
  each(
    [
      {
        name: 'holds until the next row',
        of: held,
        at: [0, 9.9, 10, 19.9, 20],
        is: [2, 2, 0, 0, 4],
      },
      { name: 'holds after the last row', of: held, at: [30, 1e9], is: [4, 4] },
      {
        name: 'begins anew, the last row as long as the one before it',
        of: looped,
        at: [29.9, 30, 40, 50, 59.9, 60],
        is: [4, 2, 0, 4, 4, 2],
      },
      { name: 'is scaled, and comes sooner', of: faster, at: [0, 1, 2, 3], is: [6, 0, 12, 6] },
      {
        name: 'of one row is always the same',
        of: replay([[0, 7]], { after: 'loop' }),
        at: [0, 1e6],
        is: [7, 7],
      },
    ],
    ({ of, at, is }) =>
      assert.deepEqual(
        at.map((moment) => figureAt(of, moment)),
        is,
      ),
  )

  void test('has a peak', () => assert.deepEqual([held, faster].map(peakOf), [4, 12]))
})

void describe('core/replay: the moment at which the sum has come to a count', () => {
  each(
    [
      { name: 'within rows', of: held, counts: [1, 10, 20], are: [0.5, 5, 10] },
      { name: 'after a row of nothing', of: held, counts: [21, 24, 70], are: [20.25, 21, 32.5] },
      { name: 'in later rounds', of: looped, counts: [21, 70, 81], are: [20.25, 35, 50.25] },
      { name: 'scaled and sooner', of: faster, counts: [6, 18 + 6], are: [1, 3 + 1] },
      {
        name: 'never comes after a last row of nothing',
        of: replay([
          [0, 1],
          [5, 0],
        ]),
        counts: [5, 5.1],
        are: [5, Infinity],
      },
      {
        name: 'never comes of nothing',
        of: replay([[0, 0]]),
        counts: [0, 1],
        are: [Infinity, Infinity],
      },
      {
        name: 'never comes of nothing again and again',
        of: replay(
          [
            [0, 0],
            [1, 0],
          ],
          { after: 'loop' },
        ),
        counts: [1],
        are: [Infinity],
      },
      {
        name: 'comes of one row',
        of: replay([[0, 4]], { after: 'loop' }),
        counts: [4, 4e6],
        are: [1, 1e6],
      },
      {
        name: 'is no sooner than the first row with something, even of no count at all',
        of: replay([
          [0, 0],
          [7, 1],
        ]),
        counts: [0, 1],
        are: [7, 8],
      },
    ],
    ({ of, counts, are }) => {
      for (const [i, count] of counts.entries()) {
        const moment = momentOf(of, count)
        const is = are[i] ?? NaN
        assert.ok(Object.is(moment, is) || Math.abs(moment - is) < 1e-9, `got ${moment}`)
      }
    },
  )

  void test('is where the figures, added up in small steps, have come to it', () => {
    const gaps = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 5 })),
      {
        minLength: 1,
        maxLength: 8,
      },
    )
    const after = fc.constantFrom('hold' as const, 'loop' as const)
    fc.assert(
      fc.property(gaps, after, fc.integer({ min: 1, max: 60 }), (given, after, count) => {
        let second = 0
        const series = given.map(([gap, figure], i): [number, number] => [
          i === 0 ? 0 : (second += gap),
          figure,
        ])
        const of = replay(series, { after })
        const moment = momentOf(of, count)
        let [sum, at] = [0, 0]
        // Rows begin at whole seconds, so that each second has one figure.
        while (at < 2000 && sum + figureAt(of, at) < count) sum += figureAt(of, at++)
        const expected = at === 2000 ? Infinity : at + (count - sum) / figureAt(of, at)
        if (expected < Infinity)
          assert.ok(Math.abs(moment - expected) < 1e-6, `got ${moment}, expected ${expected}`)
        else assert.ok(moment >= 2000)
      }),
    )
  })
})
