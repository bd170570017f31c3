import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { openEvaluation } from './evaluation.ts'

void describe('the evaluation on this node', async () => {
  const { phases, workloads } = await openEvaluation({ cpus: 2, seconds: 75 })
  const of = (name: string) => {
    const found = workloads.find(({ workload }) => workload.name === name)
    assert.ok(found, name)
    return found
  }

  void test('has the four phases in a twelfth of their time', () => {
    assert.deepEqual(
      phases.map(({ name, fromSecond, toSecond }) => [name, fromSecond, toSecond]),
      [
        ['warm-up', 0, 10],
        ['saturation', 10, 35],
        ['contention', 35, 60],
        ['bursty', 60, 75],
      ],
    )
  })

  void test('a quarter of the CPUs has a quarter of the pods, or smaller ones', () => {
    const sizes = workloads.map(({ workload: { name, replicas, cpu } }) => [
      name,
      replicas,
      cpu.request,
      cpu.limit,
    ])
    assert.deepEqual(sizes, [
      ['gateway', 1, 250, 500],
      ['worker-a', 1, 600, 800],
      ['worker-b', 1, 250, 400],
      ['noise', 1, 400, 500],
    ])
  })

  void test('a smaller pod has as much less to do', () => {
    const rates = (name: string) =>
      of(name).loads.map((load) => (load.kind === 'requests' ? load.rate.perSecond : load.kind))
    assert.deepEqual(rates('gateway'), [2.5, 12.5, 25, 2.5])
    assert.deepEqual(rates('worker-a'), [2.5, 12.5, 25, 2.5])
    const [load] = of('noise').loads
    assert.equal(load?.kind === 'steady' && load.milliCpu, 400)
  })

  void test('bursts come as often in a phase', () => {
    const bursty = of('gateway').loads[3]
    assert.deepEqual(bursty?.kind === 'requests' && bursty.rate, {
      shape: 'wave',
      perSecond: 2.5,
      toPerSecond: 25,
      overMillis: 2500,
    })
  })

  void test('a node with more CPUs has more pods of the full size', async () => {
    const large = await openEvaluation({ cpus: 8, seconds: 75 })
    assert.deepEqual(
      large.workloads.map(({ workload }) => [workload.replicas, workload.cpu.request]),
      [
        [2, 500],
        [4, 600],
        [2, 500],
        [2, 800],
      ],
    )
  })
})
