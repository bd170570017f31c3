import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../test/each.ts'
import { InvalidInput } from '../core/errors.ts'
import { readScenario } from './read-scenario.ts'

const web = { name: 'web', load: 'requests rate=10 cpu=5ms' }

void describe('a scenario', () => {
  void test('of nothing is empty, with every default', () => {
    assert.deepEqual(readScenario({}), {
      about: '',
      seed: 1,
      warmUp: 0,
      workloads: [],
      phases: [],
      steps: [],
      compare: ['static', 'unlimited', 'vpa', 'mbcas'],
    })
  })

  void test('has times in milliseconds and CPU in millicores', () => {
    const { duration, workloads, phases } = readScenario({
      duration: '1.5m',
      workloads: [
        { ...web, cpu: { request: 0.5, limit: '2' }, slo: { p99: '100ms' }, minCpu: '50m' },
      ],
      phases: [{ name: 'rush', at: '30s', loads: { web: 'steady cpu=1' }, replicas: { web: 3 } }],
    })
    const [workload] = workloads
    assert.equal(duration, 90_000)
    assert.deepEqual(workload?.cpu, { request: 500, limit: 2000 })
    assert.equal(workload?.slo?.p99, 100)
    assert.equal(workload?.minCpu, 50)
    assert.deepEqual(
      [workload?.namespace, workload?.replicas, workload?.from],
      ['default', 1, undefined],
    )
    const [phase] = phases
    assert.deepEqual(phase, {
      name: 'rush',
      at: 30_000,
      loads: { web: 'steady cpu=1' },
      replicas: { web: 3 },
      roll: [],
    })
  })
})

void describe('a scenario is refused with', () => {
  each(
    [
      {
        name: 'a key of a workload that is mistyped',
        given: { workloads: [{ ...web, replica: 2 }] },
        says: 'scenario: workload 1: unknown key "replica"; did you mean "replicas"?',
      },
      {
        name: 'a load that nobody understands',
        given: { workloads: [{ name: 'web', load: 'stedy cpu=1' }] },
        says: 'scenario: workload 1: load: parsing load "stedy cpu=1": expected idle, steady, ramp, bursty, spiky, batch, requests, recorded (perhaps steady), got "stedy"',
      },
      {
        name: 'a load that ends',
        given: { workloads: [{ name: 'job', load: 'batch work=10s' }] },
        says: 'scenario: workload 1: load: expected a load without an end, got batch; apply a Job in a step',
      },
      {
        name: 'a load of a phase that lacks a field',
        given: { workloads: [web], phases: [{ name: 'x', at: '1s', loads: { web: 'steady' } }] },
        says: 'scenario: phase 1: loads: web: parsing load "steady": expected cpu, such as cpu=300m, got none',
      },
      {
        name: 'CPU that is no quantity',
        given: { workloads: [{ ...web, cpu: { limit: 'much' } }] },
        says: 'scenario: workload 1: cpu: expected limit to be CPU of at least 1m, such as 100m, 0.5 or 2, got "much"',
      },
      {
        name: 'a target without a unit',
        given: { workloads: [{ ...web, slo: { p99: 100 } }] },
        says: 'scenario: workload 1: slo: expected p99 to be a duration from 1ms to 1h, got 100',
      },
      {
        name: 'a controller that is not known',
        given: { compare: ['static', 'vpaa'] },
        says: 'scenario: compare 2: expected one of static, static-burst, unlimited, by-weight, by-hand, small-batch, vpa, koordinator, captain, captain-0.06, captain-0.2, oracle, mbcas, got "vpaa"',
      },
      {
        name: 'one name for two workloads',
        given: { workloads: [web, web] },
        says: 'scenario: workloads: expected names of their own, got web twice',
      },
      {
        name: 'a request above the limit',
        given: { workloads: [{ ...web, cpu: { request: 2, limit: 1 } }] },
        says: 'scenario: workload web: expected cpu.request of at most its limit, 1000m, got 2000m',
      },
      {
        name: 'a floor above the ceiling',
        given: { workloads: [{ ...web, minCpu: 2, maxCpu: 1 }] },
        says: 'scenario: workload web: expected minCpu of at most maxCpu, 1000m, got 2000m',
      },
      {
        name: 'a workload that goes before it comes',
        given: { workloads: [{ ...web, from: '2m', until: '1m' }] },
        says: 'scenario: workload web: expected until to be after from',
      },
      {
        name: 'a target of what has no latency',
        given: { workloads: [{ name: 'job', load: 'steady cpu=1', slo: { p99: '1s' } }] },
        says: 'scenario: workload job: expected slo on a load of requests: no other has a latency',
      },
      {
        name: 'a target of cores that were recorded',
        given: {
          workloads: [{ name: 'job', load: 'recorded file=a.csv', slo: { p99: '1s' } }],
        },
        says: 'scenario: workload job: expected slo on a load of requests: no other has a latency',
      },
      {
        name: 'phases out of order',
        given: {
          phases: [
            { name: 'late', at: '2m' },
            { name: 'early', at: '1m' },
          ],
        },
        says: 'scenario: phase early: expected it after the phase before it, got an earlier moment',
      },
      {
        name: 'a phase of a workload that is not there',
        given: {
          workloads: [web],
          phases: [{ name: 'rush', at: '1m', loads: { wb: 'idle' } }],
        },
        says: 'scenario: phase rush: expected a workload of this scenario, got wb; did you mean web?',
      },
      {
        name: 'a warm-up as long as itself',
        given: { duration: '1m', warmUp: '1m' },
        says: 'scenario: expected warmUp to be shorter than duration',
      },
    ],
    ({ given, says }) => {
      assert.throws(
        () => readScenario(given),
        (error) => {
          assert.ok(error instanceof InvalidInput)
          assert.equal(error.message, says)
          return true
        },
      )
    },
  )
})
