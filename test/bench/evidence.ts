/** Rebuilds docs/evidence.md with its plots, after playing again what is simulated on it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { type ArmName, armNames } from '../../src/core/comparison/arm-names.ts'
import { unboundArm } from '../../src/core/comparison/summary.ts'
import { root } from '../run.ts'
import type { Bench } from './bench.ts'
import { keep, kept, type Measured, merge } from './evidence/figures.ts'
import { measureAtRandom, measureScenarios } from './evidence/measure.ts'
import { curvesOf, evidencePage, plotFile } from './evidence/page.ts'
import { plotSorted } from './evidence/plot.ts'
import { randomRuns } from './evidence/runs.ts'
import { named } from './flags.ts'

const scenariosFile = 'scenarios'
const parts = [{ name: scenariosFile }, ...randomRuns]

export const evidence: Bench = {
  name: 'evidence',
  about: 'docs/evidence.md with its plots: plays again what is simulated; --page, --only, --arms',
  async run(flags) {
    const { values } = parseArgs({
      args: [...flags],
      options: {
        page: { type: 'boolean', default: false },
        only: { type: 'string' },
        arms: { type: 'string' },
      },
    })
    const only = named('--only', values.only, parts) ?? parts
    const choices = armNames.map((name) => ({ name }))
    const arms = named('--arms', values.arms, choices)?.map(({ name }) => name)
    if (arms !== undefined && !arms.includes(unboundArm)) {
      throw new Error(`--arms: expected ${unboundArm} among them, whose work is the measure`)
    }
    for (const { name } of values.page ? [] : only) await playAgain(name, arms)
    for (const [file, text] of evidenceFiles()) writeFileSync(join(root, file), text)
    console.log('written: docs/evidence.md and its plots')
  },
}

/** Without `arms` all are played; with them the others stay as they are kept. */
async function playAgain(part: string, arms: readonly ArmName[] | undefined): Promise<void> {
  const on = new Date().toISOString().slice(0, 10)
  const tell = (done: string): void => console.error(`evidence: ${done}`)
  const run = randomRuns.find(({ name }) => name === part)
  const play = arms ?? run?.arms ?? armNames
  const scenarios = await (run === undefined
    ? measureScenarios(play, tell)
    : measureAtRandom(run, play, tell))
  const played: Measured = { on, scenarios }
  keep(part, arms === undefined ? played : merge(kept(part), played))
}

/** The page and its plots, by what the figures that are kept make of them. */
export function evidenceFiles(): ReadonlyMap<string, string> {
  const random = randomRuns.map((run) => ({ run, measured: kept(run.name) }))
  const page = evidencePage({ scenarios: kept(scenariosFile), random })
  const plots = random.map(({ run, measured }): [string, string] => {
    const title = `Targets missed, in each of ${run.count} scenarios of seed ${run.seed}${run.apart ? ', apart' : ''}`
    return [`docs/images/${plotFile(run)}`, plotSorted(title, curvesOf(measured))]
  })
  return new Map([['docs/evidence.md', page], ...plots])
}
