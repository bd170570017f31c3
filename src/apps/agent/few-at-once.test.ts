import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { fewAtOnce } from './few-at-once.ts'

void describe('a few at once', () => {
  void test('are worked on, in order, and the slow hold up no others', async () => {
    let [under, most] = [0, 0]
    const begun: number[] = []
    const items = Array.from({ length: 30 }, (_, i) => i)
    const results = await fewAtOnce(items, async (item) => {
      begun.push(item)
      under += 1
      most = Math.max(most, under)
      for (let turn = 0; turn < (item % 3) * 10; turn++) await Promise.resolve()
      under -= 1
      return item * 2
    })
    assert.deepEqual(
      results,
      items.map((item) => item * 2),
    )
    assert.deepEqual([begun, most, under], [items, 8, 0])
  })

  void test('of none are none', async () => {
    assert.deepEqual(await fewAtOnce([], async () => assert.fail('nothing to do')), [])
  })
})
