import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import { sumOf } from '../statistics.ts'
import { loadsOf, membersOf, type Request, stepRequests } from './requests.ts'
import { phasesOf, services } from './scene.ts'

const coresIn = (requests: readonly Request[], fromMicros: number, toMicros: number): number =>
  sumOf(
    requests
      .filter(({ atMicros }) => atMicros >= fromMicros && atMicros < toMicros)
      .map(({ cpuMicros }) => cpuMicros),
  ) /
  (toMicros - fromMicros)

void describe('the requests of a pass', () => {
  const scene = { cpus: 2, passSeconds: 3000, seed: 7 }
  const loads = loadsOf(scene)
  const all = loads.flatMap(({ requests }) => requests)

  each(
    [
      { name: 'little in the warm-up', phase: 'warm-up', cores: 0.26 },
      { name: 'most of two CPUs in saturation', phase: 'saturation', cores: 1.3 },
      { name: 'more than two CPUs in contention', phase: 'contention', cores: 2.6 },
      { name: 'half of two CPUs in bursts', phase: 'bursty', cores: 0.9 },
    ],
    ({ phase, cores }) => {
      const found = phasesOf(scene.passSeconds).find(({ name }) => name === phase)
      assert.ok(found)
      const demanded = coresIn(all, found.fromMicros, found.toMicros)
      assert.ok(Math.abs(demanded / cores - 1) < 0.08, `${demanded}`)
    },
  )

  void test('phases follow each other and fill the pass', () => {
    const phases = phasesOf(45)
    assert.deepEqual(
      phases.map(({ fromMicros, toMicros }) => [fromMicros / 1e6, toMicros / 1e6]),
      [
        [0, 6],
        [6, 21],
        [21, 36],
        [36, 45],
      ],
    )
  })

  void test('one seed gives the same requests to every arm, another others', () => {
    const draw = (seed: number) => loadsOf({ cpus: 2, passSeconds: 10, seed })
    assert.deepEqual(draw(1), draw(1))
    assert.notDeepEqual(draw(1), draw(2))
  })

  void test('requests come in order, and only those of contention are given up', () => {
    const contention = phasesOf(scene.passSeconds).find(({ name }) => name === 'contention')
    assert.ok(contention)
    for (const { requests } of loads) {
      assert.ok(requests.every(({ atMicros }, i) => atMicros >= (requests[i - 1]?.atMicros ?? 0)))
      for (const { atMicros, untilMicros } of requests) {
        const isIn: boolean = atMicros >= contention.fromMicros && atMicros < contention.toMicros
        assert.equal(untilMicros, isIn ? contention.toMicros : Infinity)
      }
    }
  })

  void test('a worker B in five takes three times as long', () => {
    const workerB = loads.find(({ name }) => name === 'worker-b-0')?.requests ?? []
    const spikes = workerB.filter(({ cpuMicros }) => cpuMicros === 30_000).length
    assert.ok(Math.abs(spikes / workerB.length - 0.2) < 0.02)
  })

  each(
    [1, 2, 3, 4, 7, 8, 64].map((cpus) => ({
      name: `one thread each suffices on ${cpus} CPUs`,
      cpus,
    })),
    ({ cpus }) => {
      const copies = membersOf({ cpus }).length / services.length
      for (const { demandRatio } of services) assert.ok((1.3 * cpus * demandRatio) / copies < 1)
    },
  )
})

void test('the step multiplies the load by three at its moment', () => {
  const requests = stepRequests({ settleSeconds: 1000, afterSeconds: 1000, seed: 3 })
  const before = coresIn(requests, 0, 1e9)
  const after = coresIn(requests, 1e9, 2e9)
  assert.ok(Math.abs(before / 0.045 - 1) < 0.03, `${before}`)
  assert.ok(Math.abs(after / 0.135 - 1) < 0.03, `${after}`)
})
