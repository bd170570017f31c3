import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../each.ts'
import { sumOf } from '../statistics.ts'
import { lengths } from './frozen.ts'
import { phasesOf } from './phases.ts'
import { hogServiceRequests, type Request } from './requests.ts'
import { type Draw, scenes } from './scene.ts'
import { copiesFor, services } from './services.ts'

const coresIn = (requests: readonly Request[], fromMicros: number, toMicros: number): number =>
  sumOf(
    requests
      .filter(({ atMicros }) => atMicros >= fromMicros && atMicros < toMicros)
      .map(({ cpuMicros }) => cpuMicros),
  ) /
  (toMicros - fromMicros)

const eachOther = (of: Draw) => {
  const scene = scenes.find(({ name }) => name === 'each-other')
  return (scene?.membersOf(of) ?? []).flatMap(({ name, runs }) =>
    'requests' in runs ? { name, requests: runs.requests } : [],
  )
}

const long = (phasesSeconds: number) => ({ ...lengths.full, phasesSeconds }) as typeof lengths.full

void describe('the requests of a pass', () => {
  const scene = { cpus: 2, passSeconds: 3000 }
  const loads = eachOther({ cpus: 2, lengths: long(scene.passSeconds), seed: 7 })
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
    const draw = (seed: number) => eachOther({ cpus: 2, lengths: long(10), seed })
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
    const workerB = loads.find(({ name }) => name === 'worker-b')?.requests ?? []
    const spikes = workerB.filter(({ cpuMicros }) => cpuMicros === 30_000).length
    assert.ok(Math.abs(spikes / workerB.length - 0.2) < 0.02)
  })

  each(
    [1, 2, 3, 4, 7, 8, 64].map((cpus) => ({
      name: `one thread each suffices on ${cpus} CPUs`,
      cpus,
    })),
    ({ cpus }) => {
      const members = eachOther({ cpus, lengths: lengths.quick, seed: 1 })
      assert.equal(members.length, copiesFor(cpus) * services.length)
      for (const { demandRatio } of services) {
        assert.ok((1.3 * cpus * demandRatio) / copiesFor(cpus) < 1)
      }
    },
  )
})

void describe('the service beside a hog', () => {
  void test('asks for 0.6 cores at one rate', () => {
    const requests = hogServiceRequests({ seconds: 1000, perSecond: 120, seed: 3 })
    assert.ok(Math.abs(coresIn(requests, 0, 1e9) / 0.6 - 1) < 0.03)
    assert.ok(Math.abs(requests.length / 120_000 - 1) < 0.02)
  })

  void test('is scaled to the machine, and its hog with it', () => {
    const [scene] = scenes
    const members = scene?.membersOf({ cpus: 8, lengths: lengths.quick, seed: 1 }) ?? []
    assert.deepEqual(
      members.map(({ name, request, isBatch, runs }) => [
        name,
        request,
        isBatch,
        'threads' in runs ? runs.threads : runs.workers,
      ]),
      [
        ['service', 4000, false, 32],
        ['hog', 3600, true, 16],
      ],
    )
  })
})

void test('requests leave room for the reserve of our agent', () => {
  for (const scene of scenes) {
    const members = scene.membersOf({ cpus: 2, lengths: lengths.quick, seed: 1 })
    assert.ok(sumOf(members.map(({ request }) => request)) <= 1900)
  }
})
