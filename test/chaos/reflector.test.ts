/**
 * The embedded cluster behind a bad network of our own, in time that is not real: what goes wrong in
 * the middle of an answer. MBCAS_CHAOS_OPERATIONS=20000 makes each seed's run that long.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { chaosEmbedded, type Run } from './embedded.ts'
import { createFaults, everyFault } from './faults.ts'
import { faultyKube } from './faulty-kube.ts'

const operations = Number(process.env['MBCAS_CHAOS_OPERATIONS'] ?? 1000)
const seeds = Array.from({ length: 12 }, (_, i) => i + 1)

async function chaosOnTheWay(run: Run) {
  const faults = createFaults({ seed: run.seed, requestRatio: 0.15, streamRatio: 0.95 })
  const result = await chaosEmbedded(run, {
    between: (kube, clock) => faultyKube(kube, faults, clock),
    settle: faults.settle,
  })
  return { ...result, faults: faults.counts }
}

void describe('chaos: an informer behind faults', () => {
  const came = new Set<string>()
  let relists = 0
  for (const seed of seeds) {
    void test(`seed ${seed}: nothing lost, nothing out of order`, async () => {
      const result = await chaosOnTheWay({ seed, operations })
      const { violations, differences } = result
      assert.deepEqual({ violations, differences }, { violations: [], differences: [] })
      assert.ok(result.objects > 100 && result.changes > operations / 2)
      for (const fault of result.faults.keys()) came.add(fault)
      relists += result.counts.relists
    })
  }

  void test('every kind of fault came, and many lists had to be made again', () => {
    assert.deepEqual(
      everyFault.filter((fault) => !came.has(fault)),
      [],
    )
    assert.ok(relists > seeds.length)
  })

  void test('the same seed gives the same run', async () => {
    const short = { seed: 3, operations: 500 }
    assert.deepEqual(await chaosOnTheWay(short), await chaosOnTheWay(short))
  })
})
