/** `mbcas simulate --random`: many scenarios drawn at random, each under all controllers. */
import { availableParallelism } from 'node:os'

import type { ComparisonView } from '../../../apis/dashboard.ts'
import { readScenario } from '../../../apis/read-scenario.ts'
import type { ArmName } from '../../../apis/scenario-file.ts'
import { type ArmOverall, overallOf } from '../../../core/comparison/overall.ts'
import { compareScenario } from '../main.ts'
import { drawnSeconds, drawScenario, type ScenarioDocument } from './draw.ts'

export type RandomOrder = {
  readonly count: number
  readonly seed: number
  readonly arms: readonly ArmName[]
  readonly onProgress: (done: number) => void
}

export type Played = {
  /** What `mbcas simulate -f` plays again. */
  readonly document: ScenarioDocument
  readonly arms: ComparisonView['arms']
}

export type RandomView = {
  readonly seed: number
  readonly overall: readonly ArmOverall[]
  readonly scenarios: readonly Played[]
}

/** As many at once as there are CPUs. */
export async function playRandom({
  count,
  seed,
  arms,
  onProgress,
}: RandomOrder): Promise<RandomView> {
  const scenarios: Played[] = []
  let [next, done] = [0, 0]
  const playOn = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) {
      const document = drawScenario(seed, i)
      const scenario = readScenario(document, document.name)
      const view = await compareScenario({
        scenario,
        name: document.name,
        arms,
        seed: scenario.seed,
        duration: drawnSeconds.duration * 1000,
        parallel: 1,
      })
      scenarios[i] = { document, arms: view.arms }
      onProgress((done += 1))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, playOn))
  return { seed, overall: overallOf(scenarios.map((played) => played.arms)), scenarios }
}
