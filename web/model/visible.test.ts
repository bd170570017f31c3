import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../test/each.ts'
import { visibleRows } from './visible.ts'

void describe('the rows on the screen', () => {
  each(
    [
      { name: 'at the top', count: 1000, scrolled: 0, is: [0, 26] },
      { name: 'in the middle', count: 1000, scrolled: 400, is: [4, 36] },
      { name: 'at the end', count: 1000, scrolled: 39_200, is: [974, 1000] },
      {
        name: 'of a list that starts below the screen, the first few',
        count: 1000,
        scrolled: -800,
        is: [0, 6],
      },
      { name: 'of a list far below, none', count: 1000, scrolled: -9000, is: [0, 0] },
      { name: 'of a list far above, none', count: 10, scrolled: 90_000, is: [10, 10] },
      { name: 'of a short list, all', count: 3, scrolled: 0, is: [0, 3] },
    ],
    ({ count, scrolled, is }) => {
      const { first, end } = visibleRows(count, 40, { scrolled, height: 800 })
      assert.deepEqual([first, end], is)
    },
  )
})
