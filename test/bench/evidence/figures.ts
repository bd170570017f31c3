/** The figures of comparisons as docs/figures keeps them: what the page needs, and what a replay must give again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ArmResult } from '../../../src/core/comparison/arm-result.ts'
import { missed, workDone } from '../../../src/core/comparison/figures.ts'
import {
  type ArmOverall,
  overPromisedIn,
  workBesideUnbound,
} from '../../../src/core/comparison/overall.ts'
import { root } from '../../run.ts'

export type ArmFigures = {
  readonly name: string
  /** Of target windows; undefined where there are none. */
  readonly missedRatio?: number
  readonly workRatio: number
  /** Of the work of no limits. */
  readonly workBesideUnbound?: number
  readonly keptRatio?: number
  readonly promisedCores: number
  readonly changes: number
  /** Workloads that were promised more than a written request that covers what they want. */
  readonly overPromised: readonly string[]
}

export type ScenarioFigures = { readonly scenario: string; readonly arms: readonly ArmFigures[] }

export type Measured = {
  /** Day of the run. */
  readonly on: string
  readonly scenarios: readonly ScenarioFigures[]
}

export type MeasuredAtRandom = Measured & {
  readonly seed: number
  readonly overall: readonly ArmOverall[]
  readonly verdicts: readonly string[]
}

export const figuresOf = (scenario: string, arms: readonly ArmResult[]): ScenarioFigures => ({
  scenario,
  arms: arms.map((arm) => armFigures(arm, arms)),
})

function armFigures(arm: ArmResult, arms: readonly ArmResult[]): ArmFigures {
  const missedRatio = missed.read(arm)
  const beside = workBesideUnbound(arm, arms)
  const { name, keptRatio, promisedCores, changes } = arm
  return {
    name,
    ...(missedRatio !== undefined && { missedRatio }),
    workRatio: rounded(workDone.read(arm) ?? 1),
    ...(beside !== undefined && { workBesideUnbound: rounded(beside) }),
    ...(keptRatio !== undefined && { keptRatio }),
    promisedCores,
    changes,
    overPromised: overPromisedIn(arm).map((workload) => workload.name),
  }
}

const rounded = (ratio: number): number => Math.round(ratio * 1e4) / 1e4

const folder = join(root, 'docs/figures')
export const scenariosFile = 'scenarios.json'
export const randomFile = (seed: number): string => `random-${seed}.json`

/** A scenario a line, so that a change shows which. */
export function keep(file: string, { scenarios, ...rest }: Measured): void {
  const lines = scenarios.map((one) => JSON.stringify(one)).join(',\n')
  const head = JSON.stringify(rest).slice(0, -1)
  writeFileSync(join(folder, file), `${head},"scenarios":[\n${lines}\n]}\n`)
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

export const keptScenarios = (): Measured => read(scenariosFile) as Measured
export const keptAtRandom = (seed: number): MeasuredAtRandom =>
  read(randomFile(seed)) as MeasuredAtRandom
