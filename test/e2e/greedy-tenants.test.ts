/** Tenants that take what they can get, beside one that requested 2 CPUs and wakes up. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { readScenario } from '../../src/apis/read-scenario.ts'
import { playArm } from '../../src/apps/simulate/arm/main.ts'
import { millis } from '../../src/core/units.ts'
import { each } from '../each.ts'

const victim = {
  name: 'victim',
  namespace: 'shop',
  cpu: { request: '2', limit: '4' },
  load: 'idle',
  slo: { p99: '200ms' },
}
const wakes = 'requests rate=150 cpu=10ms spread=exponential threads=8'

type Greed = {
  readonly replicas?: number
  readonly request?: string
  readonly annotations?: Readonly<Record<string, string>>
}

async function play({ replicas = 1, request = '100m', annotations = {} }: Greed) {
  const greedy = {
    name: 'greedy',
    namespace: 'greedy',
    replicas,
    cpu: { request, limit: '4' },
    load: 'steady cpu=4 threads=8',
    annotations,
  }
  const scenario = readScenario({
    seed: 3,
    warmUp: '0s',
    nodes: [{ name: 'node', count: 1, cpus: 4 }],
    workloads: [victim, greedy],
    phases: [{ name: 'wakes', at: '60s', loads: { victim: wakes } }],
  })
  const result = await playArm({ scenario, arm: 'mbcas', seed: 3, duration: millis(240_000) })
  return result.workloads.find(({ name }) => name === 'shop/victim')
}

/**
 * Three minutes awake; ADR 24 has five, in which before namespaces had shares 77 to 100 % of the target
 * windows were missed, with a p99 of 9.6 to 102 s. The bounds are near what it is now.
 */
void describe('a tenant beside a greedy one', () => {
  each(
    [
      {
        name: 'of a multiplier of 1000',
        greed: { annotations: { 'mbcas.io/priority-multiplier': '1000' } },
      },
      { name: 'of a floor of 3500m', greed: { annotations: { 'mbcas.io/min-cpu': '3500m' } } },
      {
        name: 'of a target that nobody can keep',
        greed: { annotations: { 'mbcas.io/target-latency-ms': '1' } },
      },
      { name: 'of ten pods', greed: { replicas: 10, request: '10m' } },
      { name: 'that requested as much', greed: { request: '1500m' } },
      { name: 'that takes no part', greed: { annotations: { 'mbcas.io/managed': 'false' } } },
    ],
    async ({ greed }) => {
      const its = await play(greed)
      assert.ok(its !== undefined)
      const { sloViolationRatio = 1, p99Millis = Infinity } = its
      assert.ok(sloViolationRatio <= 0.1 && p99Millis < 5000, JSON.stringify(its))
    },
  )
})
