/** The reflector on the embedded cluster with every fault: nothing lost, nothing out of order. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { chaosEmbedded, readFaults } from '../chaos/embedded.ts'

const runs = [
  ...Array.from({ length: 20 }, (_, i) => ({ seed: i + 1, operations: 5000 })),
  { seed: 21, operations: 20_000 },
]

void describe('reflector on the embedded cluster', () => {
  const came: Record<string, number> = {}
  const sum = { operations: 0, changes: 0, relists: 0, simulatedSeconds: 0 }

  for (const { seed, operations } of runs) {
    void test(`seed ${seed}: ${operations} operations`, async () => {
      const result = await chaosEmbedded({ seed, operations })
      const { violations, differences, objects, changes, counts } = result
      assert.deepEqual({ violations, differences }, { violations: [], differences: [] })
      assert.ok(objects > 100 && changes > operations / 2 && counts.watches > 10)
      sum.operations += operations
      sum.changes += changes
      sum.relists += counts.relists
      sum.simulatedSeconds += result.simulatedSeconds
      for (const [kind, times] of Object.entries(result.came))
        came[kind] = (came[kind] ?? 0) + times
    })
  }

  void test('every fault came', (t) => {
    const faults = Object.entries(came).toSorted(([a], [b]) => (a < b ? -1 : 1))
    t.diagnostic(
      `${sum.operations} operations, ${runs.length} seeds, ${sum.changes} changes told, ` +
        `${sum.relists} lists made again, ${Math.round(sum.simulatedSeconds)} simulated seconds; ` +
        `faults: ${faults.map(([kind, times]) => `${kind} ${times}`).join(', ')}`,
    )
    assert.deepEqual(
      faults.map(([kind]) => kind),
      readFaults.toSorted(),
    )
    assert.ok(sum.relists > runs.length)
  })
})
