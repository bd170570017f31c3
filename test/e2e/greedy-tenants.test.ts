/** Tenants that take what they can get, beside one that requested 2 CPUs and wakes up. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

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

/** The p99 comes in steps of 2 %, and with a limit the greedy one leaves idle CPU to bursts. */
const NEAR_RATIO = 1.15

type Greed = {
  readonly replicas?: number
  readonly request?: string
  readonly limit?: string
  readonly annotations?: Readonly<Record<string, string>>
}

type Play = {
  readonly greed: Greed
  readonly own?: Readonly<Record<string, string>>
  readonly arm?: 'mbcas' | 'static'
}

async function play({ greed, own = {}, arm = 'mbcas' }: Play) {
  const { replicas = 1, request = '100m', limit = '4', annotations = {} } = greed
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
  const result = await playArm({ scenario, arm, seed: 3, duration: millis(240_000) })
  const its = result.workloads.find(({ name }) => name === 'shop/victim')
  assert.ok(its !== undefined)
  return { missed: its.sloViolationRatio ?? 0, p99: its.p99Millis ?? Infinity }
}

/**
 * Three minutes awake. With quotas from the clearing alone it missed up to 100 % of its targets; static
 * limits, which hold the greedy one to what it wrote, are the plain way to be safe from it.
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
      {
        name: 'of ten pods with a multiplier of 1000 each',
        greed: {
          replicas: 10,
          request: '10m',
          annotations: { 'mbcas.io/priority-multiplier': '1000' },
        },
      },
      { name: 'that requested as much', greed: { request: '1500m' } },
      { name: 'with a tiny quota of its own', greed: { request: '20m', limit: '100m' } },
      { name: 'that takes no part', greed: { annotations: { 'mbcas.io/managed': 'false' } } },
    ],
    async ({ greed }) => {
      const ours = await play({ greed })
      const limited = await play({ greed, arm: 'static' })
      const both = JSON.stringify({ ours, limited })
      assert.ok(ours.missed === 0 && ours.p99 < 200, both)
      assert.ok(ours.p99 <= NEAR_RATIO * limited.p99, both)
    },
  )
})

/**
 * Its bursts above what it requested put it into debt, and a target counts above what was requested: it
 * may lose the seconds of its debt, and no more.
 */
void test('a tenant beside one that requested as much and made up a target loses little', async () => {
  const annotations = { 'mbcas.io/target-latency-ms': '1' }
  const ours = await play({ greed: { request: '1500m', annotations } })
  assert.ok(ours.missed <= 0.1 && ours.p99 < 200, JSON.stringify(ours))
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
      const its = await play({ greed, own: { 'mbcas.io/managed': 'false' } })
      assert.equal(its.missed, 0, JSON.stringify(its))
    },
  )
})
