/** Each arm does on a small scenario what it is known for. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { readScenario } from '../../src/apis/read-scenario.ts'
import { playArm } from '../../src/apps/simulate/arm/main.ts'
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

const play = async (arm: ArmName): Promise<ArmResult> =>
  playArm({ scenario: squeezed, arm, seed: 3, duration: 360_000 })

const webOf = ({ workloads }: ArmResult): WorkloadResult => {
  const found = workloads.find(({ name }) => name === 'web')
  assert.ok(found !== undefined)
  return found
}

void describe('arms', () => {
  void test('static changes nothing, and what is short stays short', async () => {
    const result = await play('static')
    assert.equal(result.sloViolationRatio, 1)
    assert.deepEqual([result.changes, result.restarts], [0, 0])
    assert.deepEqual([result.promisedCores, result.allowedCores], [0.6, 1.2])
    const web = webOf(result)
    assert.ok(Math.abs(web.usedCores - 0.2) < 0.01, `${web.usedCores}`)
    assert.ok(Math.abs(web.demandedCores - 0.5) < 0.05, `${web.demandedCores}`)
    assert.ok(web.throttledRatio > 0.9)
  })

  void test('unlimited gives what is idle to everybody, and promises what is written', async () => {
    const result = await play('unlimited')
    assert.deepEqual([result.sloViolationRatio, result.promisedCores], [0, 0.6])
    assert.ok(webOf(result).usedCores > 0.45)
    assert.equal(webOf(result).throttledRatio, 0)
  })

  void test('VPA raises the request by what it sees, and the limit with it', async () => {
    const web = webOf(await play('vpa'))
    assert.ok(web.promisedCores > 0.12, `${web.promisedCores}`)
    assert.ok(Math.abs(web.allowedCores / web.promisedCores - 2) < 0.02)
  })

  void test('VPA evicts a pod whose resize was put off for 5 minutes, once for a recommendation', async () => {
    const scenario = readScenario({
      nodes: [{ count: 1, cpus: 2 }],
      workloads: [{ name: 'two', replicas: 2, cpu: { request: '900m' }, load: 'steady cpu=990m' }],
    })
    const result = await playArm({ scenario, arm: 'vpa', seed: 1, duration: 1_200_000 })
    assert.equal(result.restarts, 1)
  })

  void test('Koordinator goes up to three limits, and promises no more', async () => {
    const web = webOf(await play('koordinator'))
    assert.equal(web.promisedCores, 0.1)
    assert.ok(Math.abs(web.allowedCores - 0.6) < 0.01, `${web.allowedCores}`)
  })

  void test('Captain follows the use in both directions', async () => {
    const result = await play('captain')
    const quiet = result.workloads.find(({ name }) => name === 'quiet')
    assert.ok((quiet?.allowedCores ?? 1) < 0.15, `${quiet?.allowedCores}`)
    assert.ok(webOf(result).usedCores > 0.45)
  })

  void test('mbcas gives what is idle to whom it helps', async () => {
    const result = await play('mbcas')
    assert.ok(result.sloViolationRatio < 0.2, `${result.sloViolationRatio}`)
    assert.ok(webOf(result).usedCores > 0.45)
  })

  void test('the same seed gives the same bytes, another another', async () => {
    const [first, again] = [await play('mbcas'), await play('mbcas')]
    assert.equal(JSON.stringify(again), JSON.stringify(first))
    const other = await playArm({ scenario: squeezed, arm: 'static', seed: 4, duration: 360_000 })
    assert.notDeepEqual(other, await play('static'))
  })
})
