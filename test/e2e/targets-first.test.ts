/** A service that needs more than it requested, beside batch work that takes all it can get. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { settings } from '../../src/apis/names.ts'
import { readScenario } from '../../src/apis/read-scenario.ts'
import { playArm } from '../../src/apps/simulate/arm/main.ts'
import { millis } from '../../src/core/units.ts'

const service = {
  name: 'service',
  namespace: 'shop',
  cpu: { request: '300m' },
  load: 'requests rate=120 cpu=10ms spread=exponential threads=8',
  slo: { p99: '200ms' },
}

/** What the service missed, and what the batch work had. */
async function play(batch: { readonly namespace: string; readonly annotations?: object }) {
  const cpu = { request: '1500m', limit: '2' }
  const job = { name: 'job', cpu, load: 'steady cpu=2 threads=4', ...batch }
  const scenario = readScenario({
    seed: 3,
    warmUp: '60s',
    nodes: [{ name: 'node', count: 1, cpus: 2 }],
    workloads: [service, job],
  })
  const { workloads } = await playArm({
    scenario,
    arm: 'mbcas',
    seed: 3,
    duration: millis(180_000),
  })
  const of = (name: string) => workloads.find((one) => one.name === name) ?? assert.fail(name)
  const { sloViolationRatio: missed = NaN } = of('shop/service')
  return { missed, jobCores: of(`${batch.namespace}/job`).usedCores }
}

void describe('a service with a latency target that needs more than it requested', () => {
  void test('goes before the batch work of its namespace', async () => {
    const { missed, jobCores } = await play({ namespace: 'shop' })
    assert.ok(missed <= 0.1, `${missed} missed`)
    assert.ok(jobCores >= 0.5, `${jobCores} cores for the job: CPU was left idle`)
  })

  void test('takes nothing that another namespace requested', async () => {
    const { missed, jobCores } = await play({ namespace: 'lab' })
    assert.ok(jobCores >= 1.4, `${jobCores} cores for the job`)
    assert.ok(missed >= 0.9, `${missed} missed`)
  })

  void test('takes nothing of a strict share', async () => {
    const { jobCores } = await play({
      namespace: 'shop',
      annotations: { [settings.enforcement]: 'strict' },
    })
    assert.ok(jobCores >= 1.4, `${jobCores} cores for the job`)
  })
})

void test('who gives way to a mate gives way to nobody else, however short the bursts of others are', async () => {
  const scenario = readScenario({
    seed: 3,
    warmUp: '60s',
    nodes: [{ name: 'node', count: 1, cpus: 4 }],
    workloads: [
      { ...service, load: 'requests rate=1 cpu=5ms' },
      {
        name: 'job',
        namespace: 'shop',
        cpu: { request: '1950m' },
        load: 'steady cpu=1950m threads=4',
      },
      {
        name: 'pulses',
        namespace: 'greedy',
        cpu: { request: '1700m' },
        load: 'bursty high=3.4 every=500ms for=250ms threads=4',
      },
    ],
  })
  const { workloads } = await playArm({
    scenario,
    arm: 'mbcas',
    seed: 3,
    duration: millis(180_000),
  })
  const { usedCores } = workloads.find(({ name }) => name === 'shop/job') ?? assert.fail()
  assert.ok(usedCores >= 1.9, `${usedCores} cores of 1.95`)
})
