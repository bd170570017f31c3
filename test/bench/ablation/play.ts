/** Plays one scenario under MBCAS with some parts on and others off. */
import { openScenario } from '../../../src/adapters/scenario.ts'
import { readAgentConfig } from '../../../src/apis/agent-config.ts'
import { readControllerConfig } from '../../../src/apis/controller-config.ts'
import { readScenario } from '../../../src/apis/read-scenario.ts'
import type { ScenarioFile } from '../../../src/apis/scenario-file.ts'
import { startPlatform } from '../../../src/apps/platform/main.ts'
import { measuredSeconds } from '../../../src/apps/simulate/arm/main.ts'
import { writtenCoresOf } from '../../../src/apps/simulate/arm/written.ts'
import { play } from '../../../src/apps/simulate/play/main.ts'
import { drawScenario } from '../../../src/apps/simulate/random/draw.ts'
import { missed, workDone } from '../../../src/core/comparison/figures.ts'
import { createTally } from '../../../src/core/comparison/tally.ts'
import { scenarioStart } from '../../../src/sim/scenario.ts'
import type { Arm } from './arms.ts'
import { watchQuotas } from './watch-quotas.ts'

export type Order = {
  /** The name of an example, or which of those that are drawn from a seed. */
  readonly scenario: string | { readonly seed: number; readonly index: number }
  readonly arm: Arm
}

export type Played = {
  /** Undefined where nobody has a target. */
  readonly missedRatio: number | undefined
  readonly workRatio: number
  readonly keptRatio: number
  readonly promisedCores: number
  readonly changes: number
  readonly oversoldRatio: number
}

export async function playOrder({ scenario: which, arm }: Order): Promise<Played> {
  const scenario = await readOrdered(which)
  const { duration, warmUp, seed } = scenario
  if (duration === undefined) throw new Error(`playing ${scenario.name}: expected a duration`)
  const agentConfig = readAgentConfig(arm.config, arm.name)
  const controllerConfig = readControllerConfig(arm.controller ?? {}, arm.name)
  const options = { seed, agentConfig, controllerConfig }
  const tally = createTally()
  const quotas = watchQuotas({ warmUp, soldRatio: 1 - agentConfig.bidding.reserveRatio })
  await play({
    scenario,
    seed,
    duration,
    writtenCores: writtenCoresOf(scenario),
    start: (scene) => {
      void startPlatform(scene.cluster, options).catch(scene.fail)
      void quotas.watch(scene)
      return undefined
    },
    onWindow: (window) => {
      if (window.at - scenarioStart >= warmUp) tally.add(window)
    },
  })
  const result = tally.result(arm.name, measuredSeconds(scenario, duration))
  return {
    missedRatio: missed.read(result),
    workRatio: workDone.read(result) ?? 1,
    keptRatio: result.keptRatio ?? 1,
    promisedCores: result.promisedCores,
    changes: result.changes,
    oversoldRatio: quotas.oversoldRatio(),
  }
}

async function readOrdered(which: Order['scenario']): Promise<ScenarioFile> {
  if (typeof which === 'string') return (await openScenario(which)).scenario
  const document = drawScenario(which.seed, which.index)
  return readScenario(document, document.name)
}
