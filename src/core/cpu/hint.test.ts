import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { countNodes, maskOf, masksBySize, nodesIn } from './hint.ts'

void describe('core/cpu: sets of NUMA nodes as masks', () => {
  void test('a bit is the place among the nodes, and ids may leave gaps', () => {
    assert.equal(maskOf([8, 63], [0, 8, 63]), 0b110)
    assert.deepEqual(nodesIn(0b110, [0, 8, 63]), [8, 63])
    assert.equal(maskOf([5], [0, 8]), 0)
  })

  void test('sets come by size, then by their lowest nodes', () => {
    const sets = masksBySize(3).map((mask) => nodesIn(mask, [0, 1, 2]).join(''))
    assert.deepEqual(sets, ['0', '1', '2', '01', '02', '12', '012'])
  })

  void test('eight nodes have 255 sets, each once', () => {
    const masks = masksBySize(8)
    assert.equal(new Set(masks).size, 255)
    assert.deepEqual(
      masks.map(countNodes),
      masks.map(countNodes).toSorted((a, b) => a - b),
    )
  })

  void test('too many nodes are refused rather than enumerated', () => {
    assert.throws(() => masksBySize(17), { name: 'InvalidInput', message: /at most 16 NUMA nodes/ })
  })
})
