import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { millicores } from '../../../src/core/units.ts'
import { lengths } from './frozen.ts'
import { figuresOf, type Measured } from './pass.ts'
import { type Member, scenes } from './scene.ts'

const [hogScene, phases] = scenes
if (hogScene === undefined || phases === undefined) throw new Error('expected two scenes')

const request = (seconds: number, untilSeconds = Infinity) => ({
  atMicros: seconds * 1e6,
  cpuMicros: 100_000,
  untilMicros: untilSeconds * 1e6,
})

const service = (requests: ReturnType<typeof request>[]): Member => ({
  name: 'service',
  request: millicores(1000),
  isBatch: false,
  runs: { workers: 1, requests },
})
const hog: Member = {
  name: 'hog',
  request: millicores(900),
  isBatch: true,
  runs: { threads: 4 },
}

const measured = (of: Partial<Measured>): Measured => ({
  scene: hogScene,
  arm: { name: 'MBCAS' },
  cpus: 2,
  lengths: lengths.full,
  members: [service([]), hog],
  doneMicros: [[], []],
  metered: {
    usedCores: [0.6, 1.1],
    loadCores: 0.05,
    agentCores: 0.02,
    stealRatio: 0.05,
    othersRatio: 0.05,
  },
  ...of,
})

void describe('the figures of a pass', () => {
  void test('latency counts from the intended arrival, after the warm-up', () => {
    const members = [service([request(1), request(9), request(10)]), hog]
    const { groups } = figuresOf(measured({ members, doneMicros: [[15e6, 9.2e6, 10.1e6], []] }))
    const [own, other] = groups
    assert.deepEqual(own?.calm, { requests: 2, p50: 200, p99: 200, givenUpRatio: 0 })
    assert.deepEqual([own.contended, other?.calm], [undefined, undefined])
    assert.equal(other?.usedCores, 1.1)
  })

  void test('a hog has its part of what services, generator, host and others leave', () => {
    const { hogOfLeft } = figuresOf(measured({}))
    assert.ok(Math.abs((hogOfLeft ?? 0) - 1.1 / (2 * 0.9 - 0.6 - 0.05)) < 1e-9)
    assert.equal(figuresOf(measured({ members: [service([])] })).hogOfLeft, undefined)
  })

  void test('contention is told apart, and what was given up counts until then', () => {
    // Of 15 s: warm-up to 2 s, saturation to 7, contention to 12, bursts to 15.
    const requests = [request(1), request(3), request(8, 12), request(11, 12), request(13)]
    const doneMicros = [[1.5e6, 3.1e6, 9e6, NaN, 13.3e6]]
    const { groups } = figuresOf(
      measured({ scene: phases, members: [service(requests)], doneMicros }),
    )
    const [own] = groups
    const rounded = (millis: number | undefined) => Math.round(millis ?? NaN)
    assert.deepEqual([own?.calm?.requests, rounded(own?.calm?.p99)], [2, 300])
    assert.deepEqual([own?.contended?.requests, own?.contended?.givenUpRatio], [2, 0.5])
    assert.equal(rounded(own?.contended?.p99), 1000)
  })
})
