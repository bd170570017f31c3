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
  readonly limit?: string
  readonly annotations?: Readonly<Record<string, string>>
}

async function play(
  { replicas = 1, request = '100m', limit = '4', annotations = {} }: Greed,
  own = {},
) {
  const greedy = {
    name: 'greedy',
    namespace: 'greedy',
    replicas,
    cpu: { request, limit },
    load: 'steady cpu=4 threads=8',
    annotations,
  }
  const scenario = readScenario({
    seed: 3,
    warmUp: '0s',
    nodes: [{ name: 'node', count: 1, cpus: 4 }],
    workloads: [{ ...victim, annotations: own }, greedy],
    phases: [{ name: 'wakes', at: '60s', loads: { victim: wakes } }],
  })
  const result = await playArm({ scenario, arm: 'mbcas', seed: 3, duration: millis(240_000) })
  return result.workloads.find(({ name }) => name === 'shop/victim')
}

/** Three minutes awake. With quotas from the clearing alone it missed up to 100 % of its targets. */
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
      { name: 'with a tiny quota of its own', greed: { request: '20m', limit: '100m' } },
      {
        name: 'that requested as much and made up a target',
        greed: { request: '1500m', annotations: { 'mbcas.io/target-latency-ms': '1' } },
      },
      { name: 'that takes no part', greed: { annotations: { 'mbcas.io/managed': 'false' } } },
    ],
    async ({ greed }) => {
      const its = await play(greed)
      assert.ok(its !== undefined)
      const { sloViolationRatio, p99Millis = Infinity } = its
      assert.ok(sloViolationRatio === 0 && p99Millis < 200, JSON.stringify(its))
    },
  )
})

void describe('a tenant that takes no part beside a greedy one', () => {
  each(
    [
      { name: 'has what it requested', greed: {} },
      {
        name: 'also beside a target that nobody can keep',
        greed: { annotations: { 'mbcas.io/target-latency-ms': '1' } },
      },
    ],
    async ({ greed }) => {
      const its = await play(greed, { 'mbcas.io/managed': 'false' })
      assert.equal(its?.sloViolationRatio, 0, JSON.stringify(its))
    },
  )
})
