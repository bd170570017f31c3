/** The page on evidence is what its figures make of it, and a part of them comes out again when it is played. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { readScenario } from '../../src/apis/read-scenario.ts'
import { compareScenario } from '../../src/apps/simulate/in-threads/main.ts'
import { setApart } from '../../src/apps/simulate/random/apart.ts'
import { drawScenario } from '../../src/apps/simulate/random/draw.ts'
import type { ArmName } from '../../src/core/comparison/arm-names.ts'
import { type ScenarioSummary, summaryOf } from '../../src/core/comparison/summary.ts'
import { evidenceFiles } from '../bench/evidence.ts'
import { claims } from '../bench/evidence/claims.ts'
import { kept } from '../bench/evidence/figures.ts'
import { randomRuns } from '../bench/evidence/runs.ts'
import { root } from '../run.ts'

void describe('the evidence', () => {
  void test('is the page and the plots that its figures make', () => {
    for (const [file, text] of evidenceFiles()) {
      assert.equal(
        readFileSync(join(root, file), 'utf8'),
        text,
        `${file}: npm run bench -- evidence --page`,
      )
    }
  })

  void test('is for claims that are made where it says, by tests that are there', () => {
    for (const { said, shownBy } of claims) {
      assert.ok(existsSync(join(root, said)), said)
      const [, tests] = /^node scripts\/test\.mjs (.*)$/.exec(shownBy) ?? []
      for (const word of tests?.split(' ') ?? []) {
        const places = [`test/${word}.test.ts`, `src/apps/${word}.test.ts`, `src/${word}`]
        assert.ok(
          places.some((place) => existsSync(join(root, place))),
          `${shownBy}: no test is called ${word}`,
        )
      }
    }
  })

  void test('comes out again: two scenarios of each run under MBCAS and its plainest rivals', async () => {
    const arms: readonly ArmName[] = ['unlimited', 'by-weight', 'mbcas']
    for (const { name: file, seed, apart } of randomRuns) {
      const { scenarios } = kept(file)
      for (const index of [0, 1]) {
        const drawn = drawScenario(seed, index)
        const document = apart ? setApart(drawn) : drawn
        const { name } = document
        const scenario = readScenario(document, name)
        const duration = scenario.duration ?? assert.fail()
        const run = { scenario, name, arms, seed: scenario.seed, duration }
        const again = summaryOf(name, (await compareScenario(run)).arms)
        assert.deepEqual(again, only(scenarios[index], arms))
      }
    }
  })
})

const only = (figures: ScenarioSummary | undefined, arms: readonly string[]): unknown => ({
  ...figures,
  arms: figures?.arms.filter(({ name }) => arms.includes(name)),
})
