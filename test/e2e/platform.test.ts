import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { readScenario } from '../../src/apis/read-scenario.ts'
import { startPlatform } from '../../src/apps/platform/main.ts'
import { createCluster } from '../../src/sim/cluster.ts'
import { playScenario, scenarioStart, usualNodes } from '../../src/sim/scenario.ts'

const scenario = readScenario({
  workloads: [
    {
      name: 'web',
      replicas: 2,
      cpu: { request: '200m', limit: '400m' },
      load: 'requests rate=20 to=80 over=1m cpu=8ms spread=exponential threads=4',
      slo: { p99: '100ms' },
    },
    { name: 'job', replicas: 2, cpu: { request: '1', limit: '2' }, load: 'steady cpu=500m' },
  ],
  phases: [{ name: 'loss', at: '60s', loseNodes: ['node-1'] }],
})

type Seen = { readonly lines: readonly string[]; readonly told: Readonly<Record<string, string>> }

/** The event log of the whole platform, and what its agents told, after so many seconds. */
async function run(seed: number, seconds: number): Promise<Seen> {
  const lines: string[] = []
  const cluster = createCluster({
    nodes: usualNodes,
    seed,
    speed: 'max',
    startsAt: scenarioStart,
    logEvent: (line) => lines.push(line),
  })
  const { agenda, kernels } = cluster
  playScenario(cluster, { ...scenario, seed }, { onFault: (error) => assert.fail(error) })
  const over = new AbortController()
  const ran = agenda.run({ signal: over.signal })
  const platform = await startPlatform(cluster, { seed })
  await agenda.clock.sleep(seconds * 1000 - agenda.now())
  const told: Record<string, string> = {}
  for (const node of kernels.keys()) {
    told[node] = await platform.readNode(node).then(
      ({ pods }) => pods.map(({ name }) => name.split('-')[0]).join(' '),
      (error: Error) => error.message,
    )
  }
  await platform.stop()
  over.abort()
  await ran
  return { lines, told }
}

void describe('the platform in one process', () => {
  void test('sizes pods, and the same seed gives the same event log', async () => {
    const [one, other, seeded] = [await run(1, 90), await run(1, 90), await run(2, 90)]
    const changes = (resource: string) =>
      one.lines.filter((line) => line.includes(`"resource":"${resource}"`)).length
    assert.ok(changes('podallocations.allocation.mbcas.io') >= 4)
    assert.ok(changes('nodemarkets.allocation.mbcas.io') > 2)
    assert.deepEqual(one.lines, other.lines)
    assert.notDeepEqual(one.lines, seeded.lines)
  })

  void test('tells of every node that is on, and has no agent on one that is lost', async () => {
    const before = await run(1, 50)
    assert.equal(Object.values(before.told).join(' ').split(' ').filter(Boolean).length, 4)
    const after = await run(1, 70)
    assert.equal(after.told['node-1'], 'reading node node-1: no agent runs on it')
  })
})
