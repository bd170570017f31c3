/** Each arm does on a small scenario what it is known for. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { readScenario } from '../../src/apis/read-scenario.ts'
import { playArm } from '../../src/apps/simulate/arm/main.ts'
import { play } from '../../src/apps/simulate/play/main.ts'
import { driveVpa } from '../../src/apps/simulate/rivals/drive-vpa.ts'
import type { ArmName } from '../../src/core/comparison/arm-names.ts'
import type { ArmResult, WorkloadResult } from '../../src/core/comparison/arm-result.ts'

/** Half a core is asked for where a fifth is allowed; beside it is idle CPU. */
const squeezed = readScenario({
  seed: 3,
  warmUp: '2m',
  nodes: [{ count: 1, cpus: 4 }],
  workloads: [
    {
      name: 'web',
      cpu: { request: '100m', limit: '200m' },
      load: 'requests rate=100 cpu=5ms threads=4',
      slo: { p99: '100ms' },
    },
    { name: 'quiet', cpu: { request: '500m', limit: '1' }, load: 'steady cpu=100m' },
  ],
})

/** A third of a core on average, in bouts of 400 ms at most, where half a core is allowed. */
const spiked = readScenario({
  warmUp: '10s',
  nodes: [{ count: 1, cpus: 4 }],
  workloads: [
    {
      name: 'web',
      cpu: { request: '200m', limit: '500m' },
      load: 'requests rate=3 cpu=100ms spread=fixed threads=8',
      slo: { p99: '400ms' },
    },
  ],
})

/** Two CPUs for one service that wants half of one and requests little, and a hog. */
const contended = readScenario({
  warmUp: '30s',
  nodes: [{ count: 1, cpus: 2 }],
  workloads: [
    {
      name: 'web',
      cpu: { request: '100m' },
      load: 'requests rate=50 cpu=10ms threads=8',
      slo: { p99: '200ms' },
      weight: 10,
    },
    { name: 'hog', cpu: { request: '1' }, load: 'steady cpu=4 threads=4', weight: 0.2 },
  ],
})

const run = async (arm: ArmName): Promise<ArmResult> =>
  playArm({ scenario: squeezed, arm, seed: 3, duration: 360_000 })
const playSpiked = async (arm: ArmName): Promise<ArmResult> =>
  playArm({ scenario: spiked, arm, seed: 3, duration: 180_000 })

const webOf = ({ workloads }: ArmResult): WorkloadResult => {
  const found = workloads.find(({ name }) => name === 'web')
  assert.ok(found !== undefined)
  return found
}

void describe('arms', () => {
  void test('static changes nothing, and what is short stays short', async () => {
    const result = await run('static')
    assert.equal(result.sloViolationRatio, 1)
    assert.deepEqual([result.changes, result.restarts], [0, 0])
    assert.deepEqual([result.promisedCores, result.allowedCores], [0.6, 1.2])
    const web = webOf(result)
    assert.ok(Math.abs(web.usedCores - 0.2) < 0.01, `${web.usedCores}`)
    assert.ok(Math.abs(web.demandedCores - 0.5) < 0.05, `${web.demandedCores}`)
    assert.ok(web.throttledRatio > 0.9)
  })

  void test('unlimited gives what is idle to everybody, and promises what is written', async () => {
    const result = await run('unlimited')
    assert.deepEqual([result.sloViolationRatio, result.promisedCores], [0, 0.6])
    assert.ok(webOf(result).usedCores > 0.45)
    assert.equal(webOf(result).throttledRatio, 0)
  })

  void test('VPA raises the request by what it sees, and the limit with it', async () => {
    const web = webOf(await run('vpa'))
    assert.ok(web.promisedCores > 0.12, `${web.promisedCores}`)
    assert.ok(Math.abs(web.allowedCores / web.promisedCores - 2) < 0.02)
  })

  /** VPA wants 1138m for each of the two, of 2 CPUs. */
  const crowded = readScenario({
    nodes: [{ count: 1, cpus: 2 }],
    workloads: [{ name: 'two', replicas: 2, cpu: { request: '900m' }, load: 'steady cpu=990m' }],
  })

  void test('VPA evicts a pod whose resize was put off for 5 minutes, once for a recommendation', async () => {
    const evicted = await play({
      scenario: crowded,
      seed: 1,
      duration: 1_200_000,
      start: ({ stage, signal }) => driveVpa(stage, new Map(), signal),
      onWindow: () => {},
    })
    assert.equal(evicted, 1)
  })

  void test('VPA with a history sizes pods when they are made, also beyond what there is', async () => {
    const result = await playArm({ scenario: crowded, arm: 'vpa', seed: 1, duration: 120_000 })
    assert.deepEqual([result.pendingPods, result.restarts], [1, 0])
    assert.ok(Math.abs(result.promisedCores - 1.13) < 0.03, `${result.promisedCores}`)
  })

  void test('long periods with burst let a short peak through, and hold the mean', async () => {
    const [short, long] = [
      webOf(await playSpiked('static')),
      webOf(await playSpiked('static-burst')),
    ]
    assert.ok((short.sloViolationRatio ?? 0) > 0.5, `${short.sloViolationRatio}`)
    assert.equal(long.sloViolationRatio, 0)
    assert.ok(long.throttledRatio < short.throttledRatio)
  })

  void test('weights decide where CPU is short: requests, multipliers, and who has a target', async () => {
    const missed = async (arm: ArmName): Promise<number | undefined> =>
      webOf(await playArm({ scenario: contended, arm, seed: 3, duration: 180_000 }))
        .sloViolationRatio
    assert.equal(await missed('unlimited'), 1)
    assert.equal(await missed('by-weight'), 0)
    assert.equal(await missed('by-hand'), 0)
    assert.equal(await missed('oracle'), 0)
  })

  void test('hindsight requests what each will want on average', async () => {
    const result = await run('oracle')
    const web = webOf(result)
    assert.ok(Math.abs(web.promisedCores - web.demandedCores) < 0.01, `${web.promisedCores}`)
  })

  void test('Captain with a higher target leaves less', async () => {
    const allowed = async (arm: ArmName): Promise<number> => webOf(await run(arm)).allowedCores
    assert.ok((await allowed('captain')) > (await allowed('captain-0.2')))
  })

  void test('Koordinator holds work without a request to what the others leave of 65 %', async () => {
    const scenario = readScenario({
      nodes: [{ count: 1, cpus: 4 }],
      workloads: [
        { name: 'web', cpu: { request: '1' }, load: 'steady cpu=1' },
        { name: 'batch', load: 'steady cpu=4 threads=4' },
      ],
    })
    const result = await playArm({ scenario, arm: 'koordinator', seed: 1, duration: 120_000 })
    const batch = result.workloads.find(({ name }) => name === 'batch')
    assert.ok(Math.abs((batch?.usedCores ?? 0) - (4 * 0.65 - 1)) < 0.1, `${batch?.usedCores}`)
  })

  void test('Koordinator goes up to three limits, and promises no more', async () => {
    const web = webOf(await run('koordinator'))
    assert.equal(web.promisedCores, 0.1)
    assert.ok(Math.abs(web.allowedCores - 0.6) < 0.01, `${web.allowedCores}`)
  })

  void test('Captain follows the use in both directions', async () => {
    const result = await run('captain')
    const quiet = result.workloads.find(({ name }) => name === 'quiet')
    assert.ok((quiet?.allowedCores ?? 1) < 0.15, `${quiet?.allowedCores}`)
    assert.ok(webOf(result).usedCores > 0.45)
  })

  void test('mbcas gives what is idle to whom it helps', async () => {
    const result = await run('mbcas')
    assert.ok(result.sloViolationRatio < 0.2, `${result.sloViolationRatio}`)
    assert.ok(webOf(result).usedCores > 0.45)
  })

  void test('the same seed gives the same bytes, another another', async () => {
    const [first, again] = [await run('mbcas'), await run('mbcas')]
    assert.equal(JSON.stringify(again), JSON.stringify(first))
    const other = await playArm({ scenario: squeezed, arm: 'static', seed: 4, duration: 360_000 })
    assert.notDeepEqual(other, await run('static'))
  })
})
