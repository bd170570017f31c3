import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { ago, around, clock, dateAndClock, span, zoomed } from './time.ts'

const moment = new Date(2026, 10, 6, 4, 3, 2).getTime()

void describe('time in words', () => {
  each(
    [
      { name: 'seconds', got: span(12_400), is: '12 s' },
      { name: 'minutes', got: span(180_000), is: '3 min' },
      { name: 'hours', got: span(7_200_000), is: '2 h' },
      { name: 'days', got: span(5 * 86_400_000), is: '5 d' },
      { name: 'what was just now', got: ago(moment - 900, moment), is: 'now' },
      {
        name: 'what a faster clock says of the future is now',
        got: ago(moment + 5000, moment),
        is: 'now',
      },
      { name: 'what was a while ago', got: ago(moment - 90_000, moment), is: '2 min ago' },
      { name: 'a clock has two figures for each part', got: clock(moment), is: '04:03:02' },
      {
        name: 'a date goes from large to small',
        got: dateAndClock(moment),
        is: '2026-11-06 04:03:02',
      },
    ],
    ({ got, is }) => assert.equal(got, is),
  )

  each(
    [
      { name: 'a link to a moment has it in the middle', got: around(1000, 500), is: [750, 1250] },
      {
        name: 'half of a stretch has the same middle',
        got: zoomed({ from: 0, to: 8000 }, 0.5),
        is: [2000, 6000],
      },
      { name: 'a second is the least', got: zoomed({ from: 0, to: 1000 }, 0.5), is: [0, 1000] },
    ],
    ({ got: { from, to }, is }) => assert.deepEqual([from, to], is),
  )
})
