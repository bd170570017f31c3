/** The arms of a comparison: what each makes of a scenario before it begins, and what it starts. */
import type { ScenarioFile } from '../../../apis/scenario-file.ts'
import type { ArmName } from '../../../core/comparison/arm-names.ts'
import { captain } from '../../../core/rivals/captain.ts'
import { koordinator } from '../../../core/rivals/koordinator.ts'
import { recommend } from '../../../core/rivals/vpa.ts'
import { scenarioStart, usualNodes } from '../../../sim/scenario.ts'
import { startPlatform } from '../../platform/main.ts'
import { lookAhead } from '../arm/hindsight.ts'
import type { ArmRun } from '../arm/main.ts'
import { sizedByHindsight, sizedByVpa, sizedSmall } from '../arm/sized.ts'
import type { Scene, StartController } from '../play/main.ts'
import { driveLaw } from '../rivals/drive-law.ts'
import { driveVpa } from '../rivals/drive-vpa.ts'
import {
  byHand,
  byWeight,
  type FirstSettings,
  longPeriods,
  noQuotas,
  setOnce,
  weighBy,
} from '../rivals/set-once.ts'
import { suppressBestEffort } from '../rivals/suppress-best-effort.ts'
import { eightDaysOf } from '../rivals/vpa-history.ts'

export type Arm = { readonly scenario: ScenarioFile; readonly start: StartController }

/** On the scenario as it is. */
const asWritten =
  (...starts: readonly ((scene: Scene) => unknown)[]) =>
  async ({ scenario }: ArmRun): Promise<Arm> => ({
    scenario,
    start: (scene) => {
      for (const start of starts) void start(scene)
      return undefined
    },
  })

const set =
  (...settings: readonly FirstSettings[]) =>
  async ({ stage, signal }: Scene): Promise<void> =>
    setOnce(stage, settings, signal)

const weighed = weighBy(byWeight)

const driveCaptain =
  (target: number) =>
  async ({ stage, signal }: Scene): Promise<void> =>
    driveLaw(captain(target), stage, signal)

export const controllers: Readonly<Record<ArmName, (run: ArmRun) => Promise<Arm>>> = {
  static: asWritten(),
  'static-burst': asWritten(set(longPeriods)),
  unlimited: asWritten(set(noQuotas)),
  'by-weight': asWritten(set(noQuotas, weighed)),
  'by-hand': asWritten(set(noQuotas, weighBy(byHand))),
  'small-batch': async ({ scenario }) => ({
    scenario: sizedSmall(scenario),
    start: ({ stage, signal }) => void setOnce(stage, [noQuotas], signal),
  }),
  vpa: async (run) => {
    const histories = eightDaysOf(await lookAhead(run), scenarioStart)
    const known = new Map(Array.from(histories, ([name, history]) => [name, recommend(history)]))
    return {
      scenario: sizedByVpa(run.scenario, known),
      start: ({ stage, signal }) => driveVpa(stage, histories, signal),
    }
  },
  koordinator: asWritten(
    set(weighed),
    async ({ stage, signal }) => driveLaw(koordinator(), stage, signal),
    async ({ stage, signal }) => suppressBestEffort(stage, signal),
  ),
  captain: asWritten(set(weighed), driveCaptain(0)),
  'captain-0.06': asWritten(set(weighed), driveCaptain(0.06)),
  'captain-0.2': asWritten(set(weighed), driveCaptain(0.2)),
  oracle: async (run) => ({
    scenario: sizedByHindsight(run.scenario, await lookAhead(run), usualNodes),
    start: ({ stage, signal }) => void setOnce(stage, [noQuotas, weighBy(byHand)], signal),
  }),
  mbcas: asWritten(async ({ cluster, seed, fail }) => startPlatform(cluster, { seed }).catch(fail)),
}
