/** Plays what the page on evidence shows: the scenarios of examples, and those that are drawn at random. */
import { openScenario } from '../../../src/adapters/scenario.ts'
import { compareScenario } from '../../../src/apps/simulate/in-threads/main.ts'
import { playRandom } from '../../../src/apps/simulate/random/main.ts'
import { armNames } from '../../../src/core/comparison/arm-names.ts'
import { figuresOf, type Measured, type MeasuredAtRandom, type ScenarioFigures } from './figures.ts'

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

export async function measureScenario(name: string): Promise<ScenarioFigures> {
  const { scenario } = await openScenario(name)
  const { duration, seed } = scenario
  if (duration === undefined) throw new Error(`measuring ${name}: expected a duration, got none`)
  const view = await compareScenario({ scenario, name, arms: armNames, seed, duration })
  return figuresOf(name, view.arms)
}

export async function measureScenarios(
  on: string,
  tell: (done: string) => void,
): Promise<Measured> {
  const scenarios: ScenarioFigures[] = []
  for (const name of evidenceScenarios) {
    scenarios.push(await measureScenario(name))
    tell(name)
  }
  return { on, scenarios }
}

export async function measureAtRandom(
  order: { readonly seed: number; readonly count: number; readonly on: string },
  tell: (done: string) => void,
): Promise<MeasuredAtRandom> {
  const { seed, count, on } = order
  const view = await playRandom({
    seed,
    count,
    arms: armNames,
    onProgress: (done) => tell(`${done} of ${count} scenarios of seed ${seed}`),
  })
  const { overall, verdicts } = view
  const scenarios = view.scenarios.map(({ scenario, arms }) => figuresOf(scenario.name, arms))
  return { on, seed, overall, verdicts, scenarios }
}
