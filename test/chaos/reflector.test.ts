/**
 * A server in memory behind faults, in time that is not real: many seeds in seconds.
 * MBCAS_CHAOS_OPERATIONS=20000 makes each seed's run that long (1500 by default).
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { seededRandom } from '../../src/core/random.ts'
import { manualClock } from '../manual-clock.ts'
import { memoryKube } from '../memory-kube.ts'
import { createFaults, everyFault } from './faults.ts'
import { faultyKube } from './faulty-kube.ts'
import { runChaos } from './run.ts'
import { configMap, configMaps } from './watching.ts'

const operations = Number(process.env['MBCAS_CHAOS_OPERATIONS'] ?? 1500)
const seeds = Array.from({ length: 20 }, (_, i) => i + 1)

async function chaosInMemory({ seed, operations }: { seed: number; operations: number }) {
  const clock = manualClock()
  const server = memoryKube()
  const faults = createFaults({ seed, requestRatio: 0.15, streamRatio: 0.95 })
  const random = seededRandom(seed + 1000)
  const result = await runChaos({
    kubeDirect: server,
    kubeThroughProxy: faultyKube(server, faults, clock),
    resource: configMaps,
    make: ({ namespace, name, value }) => configMap(name, value, namespace),
    operations,
    seed,
    namespaces: ['red', 'green', 'blue'],
    concurrency: 1, // time moves between operations, so they come one by one
    clock,
    wait: clock.advance,
    afterOperation: async () => {
      const dice = random()
      if (dice < 0.002) server.compact()
      else if (dice < 0.02) server.bookmark()
      else if (dice < 0.022) server.endWatches()
      if (random() < 0.2) await clock.advance(Math.floor(random() * 2500))
    },
    settle: faults.settle,
  })
  return { ...result, faults: faults.counts }
}

void describe('chaos: an informer behind faults', () => {
  const came = new Set<string>()
  let relists = 0
  for (const seed of seeds) {
    void test(`seed ${seed}: nothing lost, nothing out of order`, async () => {
      const result = await chaosInMemory({ seed, operations })
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
    assert.deepEqual(await chaosInMemory(short), await chaosInMemory(short))
  })
})
