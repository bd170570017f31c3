/** Plays what the page on evidence shows: the scenarios of examples, and those that are drawn at random. */
import { openScenario } from '../../../src/adapters/scenario.ts'
import { compareScenario } from '../../../src/apps/simulate/in-threads/main.ts'
import { playRandom } from '../../../src/apps/simulate/random/main.ts'
import type { ArmName } from '../../../src/core/comparison/arm-names.ts'
import { type ScenarioSummary, summaryOf } from '../../../src/core/comparison/summary.ts'
import type { RandomRun } from './runs.ts'

/** `fifty-services` is left out: twelve arms of it take hours. */
export const evidenceScenarios = [
  'evaluation',
  'overload',
  'noisy-neighbour',
  'cold-start',
  'node-loss',
  'rush-hour',
  'recorded-day',
] as const

type Tell = (done: string) => void

export async function measureScenarios(
  arms: readonly ArmName[],
  tell: Tell,
): Promise<ScenarioSummary[]> {
  const scenarios: ScenarioSummary[] = []
  for (const name of evidenceScenarios) {
    const { scenario } = await openScenario(name)
    const { duration, seed } = scenario
    if (duration === undefined) throw new Error(`measuring ${name}: expected a duration, got none`)
    const view = await compareScenario({ scenario, name, arms, seed, duration })
    scenarios.push(summaryOf(name, view.arms))
    tell(name)
  }
  return scenarios
}

export async function measureAtRandom(
  { name, seed, count, apart }: RandomRun,
  arms: readonly ArmName[],
  tell: Tell,
): Promise<ScenarioSummary[]> {
  const onProgress = (done: number): void => tell(`${name}: ${done} of ${count} scenarios`)
  const view = await playRandom({ seed, count, apart, arms, onProgress })
  return view.scenarios.map(({ scenario, arms }) => summaryOf(scenario.name, arms))
}
