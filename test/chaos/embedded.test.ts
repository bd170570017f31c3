import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { chaosEmbedded, readFaults } from './embedded.ts'

/** The long runs are in test/slow and test/real. */
const operations = 1000

void describe('chaos: an informer on the embedded cluster', () => {
  void test('nothing is lost, nothing is out of order, and the same seed gives the same run', async () => {
    const result = await chaosEmbedded({ seed: 1, operations })
    const { violations, differences, objects, changes } = result
    assert.deepEqual({ violations, differences }, { violations: [], differences: [] })
    assert.ok(objects > 100 && changes > operations / 2)
    assert.deepEqual(await chaosEmbedded({ seed: 1, operations }), result)
  })

  void test('another seed gives another run, and every fault comes', async () => {
    const seeds = [2, 3, 4]
    const results = await Promise.all(
      seeds.map(async (seed) => chaosEmbedded({ seed, operations })),
    )
    for (const { violations, differences } of results)
      assert.deepEqual({ violations, differences }, { violations: [], differences: [] })
    assert.equal(new Set(results.map(({ changes }) => changes)).size, seeds.length)
    const came = new Set(results.flatMap((result) => Object.keys(result.came)))
    assert.deepEqual([...came].toSorted(), readFaults.toSorted())
  })
})
