import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { bandAt, stack } from './stack.ts'

void describe('stacked bands', () => {
  const lines = stack(
    [
      [1, 2],
      [3, null],
      [0, 5],
    ],
    2,
  )

  void test('each line is the sum of its band and those below', () => {
    assert.deepEqual(lines, [
      [1, 2],
      [4, 2],
      [4, 7],
    ])
  })

  each(
    [
      { name: 'a height in the lowest band', index: 0, height: 0.5, is: 0 },
      { name: 'a height in the next', index: 0, height: 2, is: 1 },
      { name: 'a band that is not there is passed over', index: 1, height: 3, is: 2 },
      { name: 'above all bands there is none', index: 0, height: 9, is: -1 },
    ],
    ({ index, height, is }) => assert.equal(bandAt(lines, index, height), is),
  )
})
