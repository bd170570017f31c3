import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { readScenario } from '../../../apis/read-scenario.ts'
import type { ScenarioFile } from '../../../apis/scenario-file.ts'
import { setApart } from './apart.ts'
import { drawnSeconds, drawScenario } from './draw.ts'

const SEED = 31_337
const COUNT = 300
const all = Array.from({ length: COUNT }, (_, i): ScenarioFile => {
  const document = drawScenario(SEED, i)
  return readScenario(document, document.name)
})

const cpusOf = ({ nodes = [] }: ScenarioFile): number =>
  nodes.reduce((sum, { count, cpus }) => sum + count * cpus, 0)
const requestedOf = ({ workloads }: ScenarioFile): number =>
  workloads.reduce((sum, { replicas, cpu }) => sum + replicas * (cpu.request ?? 0), 0)
const has = (is: (scenario: ScenarioFile) => boolean): number => all.filter(is).length / COUNT
const hasLoad = (pattern: RegExp) => (scenario: ScenarioFile) =>
  scenario.workloads.some(({ load }) => pattern.test(load))

void describe('scenarios drawn at random', () => {
  void test('are the same from the same seed, and others from another', () => {
    assert.deepEqual(drawScenario(7, 3), drawScenario(7, 3))
    const texts = [drawScenario(7, 3), drawScenario(7, 4), drawScenario(8, 3)].map((one) =>
      JSON.stringify({ ...one, name: '', about: '' }),
    )
    assert.equal(new Set(texts).size, 3)
  })

  void test('draw each by itself: one more changes none of the others', () => {
    assert.deepEqual(drawScenario(SEED, 5).workloads, drawScenario(SEED, 5).workloads)
    assert.notDeepEqual(drawScenario(SEED, 5).workloads, drawScenario(SEED, 6).workloads)
  })

  void test('are the same apart, but for a namespace for each workload', () => {
    const together = drawScenario(SEED, 5)
    const { workloads, ...apart } = setApart(together)
    assert.deepEqual(
      { ...apart, name: together.name, about: together.about, workloads: [] },
      {
        ...together,
        workloads: [],
      },
    )
    for (const [i, { namespace, ...workload }] of workloads.entries()) {
      assert.equal(namespace, workload.name)
      assert.deepEqual(workload, together.workloads[i])
    }
  })

  void test('request four fifths of the nodes at most, and no more than half of one by any pod', () => {
    for (const scenario of all) {
      const [node] = scenario.nodes ?? []
      assert.ok(requestedOf(scenario) <= 800 * cpusOf(scenario) + 1, scenario.name)
      for (const { cpu } of scenario.workloads) {
        assert.ok((cpu.request ?? 0) <= 500 * (node?.cpus ?? 0), scenario.name)
        assert.ok((cpu.limit ?? Infinity) >= (cpu.request ?? 0), scenario.name)
      }
    }
  })

  void test('have phases within their length, in order', () => {
    for (const { phases, duration } of all) {
      assert.equal(duration, drawnSeconds.duration * 1000)
      const ats = phases.map(({ at }) => at as number)
      assert.deepEqual(
        ats,
        ats.toSorted((a, b) => a - b),
      )
      assert.ok(ats.every((at) => at <= drawnSeconds.duration * 1000))
    }
  })

  void test('have all that is stated, each in some of them', () => {
    const shares = {
      steady: has(hasLoad(/^requests rate=[\d.]+ cpu/)),
      tides: has(hasLoad(/peak=/)),
      heavyTails: has(hasLoad(/spread=heavy/)),
      jobs: has(hasLoad(/^(steady|bursty|spiky) .*threads/)),
      leaks: has(hasLoad(/^ramp/)),
      hogs: has(({ workloads }) => workloads.some(({ name }) => name === 'hog')),
      tiny: has(({ workloads }) => workloads.some(({ name }) => name === 'tiny')),
      failures: has(({ phases }) => phases.some(({ loseNodes }) => (loseNodes ?? []).length > 0)),
      rolls: has(({ phases }) => phases.some(({ roll }) => roll.length > 0)),
      turns: has(({ phases }) => phases.some(({ loads }) => Object.keys(loads).length > 0)),
      targets: has(({ workloads }) => workloads.some(({ slo }) => slo !== undefined)),
      weights: has(({ workloads }) => workloads.some(({ weight }) => weight !== undefined)),
      limits: has(({ workloads }) => workloads.every(({ cpu }) => cpu.limit !== undefined)),
      noLimits: has(({ workloads }) => workloads.every(({ cpu }) => cpu.limit === undefined)),
    }
    for (const [what, share] of Object.entries(shares)) {
      assert.ok(share > 0.05 && share < 1, `${what}: ${share}`)
    }
  })
})
