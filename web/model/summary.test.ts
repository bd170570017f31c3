import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { cpu } from './format.ts'
import { summarize } from './summary.ts'

void describe('a chart in words', () => {
  const to = new Date(2026, 10, 16, 14, 3, 0).getTime()
  each(
    [
      {
        name: 'the last value and the extremes',
        values: [210, 890, 430],
        is: 'used 430m, between 210m and 890m',
      },
      { name: 'a line that does not move', values: [500, 500], is: 'used 500m throughout' },
      { name: 'gaps are passed over', values: [null, 300, null], is: 'used 300m throughout' },
      { name: 'a line of which nothing is known', values: [null], is: 'used –' },
    ],
    ({ values, is }) => {
      const lines = [{ name: 'used', values, write: cpu }]
      const told = summarize('CPU', { from: to - 300_000, to }, lines)
      assert.equal(told, `CPU, 5 min until 14:03:00: ${is}.`)
    },
  )
})
