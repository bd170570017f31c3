import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../../test/each.ts'
import { visitCombinations } from './combinations.ts'

function visited(items: readonly number[], size: number) {
  const seen: string[] = []
  const kept: (readonly number[])[] = []
  visitCombinations(items, size, (chosen) => {
    seen.push(chosen.join(''))
    kept.push(chosen)
    return 'go on'
  })
  return { seen, kept: kept.map((chosen) => chosen.join('')) }
}

void describe('core/cpu: combinations', () => {
  void test('come in the order of the items', () => {
    assert.deepEqual(visited([2, 0, 1], 2).seen, ['20', '21', '01'])
    assert.deepEqual(visited([0, 1], 0).seen, [])
    assert.deepEqual(visited([0, 1], 3).seen, [])
  })

  void test('end when told to', () => {
    let visits = 0
    visitCombinations([0, 1, 2], 1, () => (++visits === 2 ? 'stop' : 'go on'))
    assert.equal(visits, 2)
  })

  each(
    [
      { name: 'kept lists of up to three stay', size: 3, first: '012', keptFirst: '012' },
      { name: 'of four, the last is overwritten', size: 4, first: '0123', keptFirst: '0127' },
      { name: 'of five they stay', size: 5, first: '01234', keptFirst: '01234' },
      { name: 'of six, the last is overwritten', size: 6, first: '012345', keptFirst: '012347' },
      { name: 'of seven, the last two', size: 7, first: '0123456', keptFirst: '0123467' },
    ],
    ({ size, first, keptFirst }) => {
      const { seen, kept } = visited([0, 1, 2, 3, 4, 5, 6, 7], size)
      assert.equal(seen[0], first)
      assert.equal(kept[0], keptFirst)
    },
  )
})
