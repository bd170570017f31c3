/** Rebuilds docs/evidence.md with its plots, after playing again all that is simulated on it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { root } from '../run.ts'
import type { Bench } from './bench.ts'
import { keep, keptAtRandom, keptScenarios, randomFile, scenariosFile } from './evidence/figures.ts'
import { measureAtRandom, measureScenarios } from './evidence/measure.ts'
import { curvesOf, evidencePage, plotFile } from './evidence/page.ts'
import { plotSorted } from './evidence/plot.ts'

/** The first was asked for; the others were drawn after all parameters were fixed. */
export const keptSeeds = [1] as const
const COUNT = 100

export const evidence: Bench = {
  name: 'evidence',
  about: 'docs/evidence.md with its plots: plays again what is simulated; --page, --seeds, --count',
  async run(flags) {
    const { values } = parseArgs({
      args: [...flags],
      options: {
        page: { type: 'boolean', default: false },
        seeds: { type: 'string' },
        count: { type: 'string', default: String(COUNT) },
      },
    })
    const on = new Date().toISOString().slice(0, 10)
    const tell = (done: string): void => console.error(`evidence: ${done}`)
    if (values.seeds !== undefined) {
      for (const seed of values.seeds.split(',').map(Number)) {
        const found = await measureAtRandom({ seed, count: Number(values.count), on }, tell)
        console.table(found.overall)
        console.log(found.verdicts.join('\n'))
      }
      return
    }
    if (!values.page) {
      keep(scenariosFile, await measureScenarios(on, tell))
      for (const seed of keptSeeds) {
        keep(randomFile(seed), await measureAtRandom({ seed, count: COUNT, on }, tell))
      }
    }
    for (const [file, text] of evidenceFiles()) writeFileSync(join(root, file), text)
    console.log('written: docs/evidence.md and its plots')
  },
}

/** The page and its plots, by what the figures that are kept make of them. */
export function evidenceFiles(): ReadonlyMap<string, string> {
  const random = keptSeeds.map(keptAtRandom)
  const page = evidencePage({ scenarios: keptScenarios(), random })
  const plots = random.map((one): [string, string] => {
    const title = `Targets missed, in each of ${one.scenarios.length} scenarios of seed ${one.seed}`
    return [`docs/images/${plotFile(one.seed)}`, plotSorted(title, curvesOf(one))]
  })
  return new Map([['docs/evidence.md', page], ...plots])
}
