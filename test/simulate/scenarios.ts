/** The scenarios of examples/ as golden tests play them: each as far as it can be had in seconds. */
import { readdirSync } from 'node:fs'

import { openScenario } from '../../src/adapters/scenario.ts'
import type { ComparisonView } from '../../src/apis/dashboard.ts'
import type { ScenarioFile } from '../../src/apis/scenario-file.ts'
import { comparisonTable } from '../../src/apps/cli/comparison-table.ts'
import { playArm } from '../../src/apps/simulate/arm/main.ts'
import { compareArms } from '../../src/apps/simulate/compare.ts'
import { millis } from '../../src/core/units.ts'

const folder = 'examples/scenarios'
export const goldenFolder = 'test/simulate/golden'

export const scenarioNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace('.yaml', ''))
    .toSorted()

const MINUTE = 60_000

/**
 * Simulated milliseconds, into the phase in which the arms begin to differ: all of them whole would
 * take minutes. `mbcas simulate` plays them whole.
 */
const shortened: Readonly<Record<string, Partial<Pick<ScenarioFile, 'duration' | 'warmUp'>>>> = {
  'cold-start': { duration: millis(4 * MINUTE) },
  evaluation: { duration: millis(7.5 * MINUTE) },
  'fifty-services': { warmUp: millis(20_000), duration: millis(MINUTE) },
  'node-loss': { duration: millis(4 * MINUTE) },
  'noisy-neighbour': { duration: millis(4.5 * MINUTE) },
  overload: { duration: millis(4.5 * MINUTE) },
  'rush-hour': { duration: millis(4 * MINUTE) },
}

export const goldenPath = (name: string): string => `${goldenFolder}/${name}.txt`

export async function playScenarioOf(name: string): Promise<ComparisonView> {
  const opened = await openScenario(`${folder}/${name}.yaml`)
  const scenario = { ...opened.scenario, ...shortened[name] }
  const { compare: arms, seed, duration = 0 } = scenario
  return compareArms({
    scenario: name,
    arms,
    parallel: 1,
    play: async (arm) => playArm({ scenario, arm, seed, duration }),
  })
}

export const goldenOf = async (name: string): Promise<string> =>
  comparisonTable(await playScenarioOf(name), 80)
