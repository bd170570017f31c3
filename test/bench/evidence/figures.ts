/** The figures of comparisons as docs/figures keeps them: what the page needs, and what a replay must give again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ScenarioSummary } from '../../../src/core/comparison/summary.ts'
import { root } from '../../run.ts'

export type Measured = {
  /** Day of the run. */
  readonly on: string
  readonly scenarios: readonly ScenarioSummary[]
}

const fileOf = (name: string): string => join(root, 'docs/figures', `${name}.json`)

/** A scenario a line, so that a change shows which. */
export function keep(name: string, { on, scenarios }: Measured): void {
  const lines = scenarios.map((one) => JSON.stringify(one)).join(',\n')
  writeFileSync(fileOf(name), `{"on":"${on}","scenarios":[\n${lines}\n]}\n`)
}

export const kept = (name: string): Measured =>
  JSON.parse(readFileSync(fileOf(name), 'utf8')) as Measured

/** The figures that are kept, with those arms that were played again in their places. */
export function merge(before: Measured, again: Measured): Measured {
  const scenarios = again.scenarios.map(({ scenario, arms }) => {
    const known = before.scenarios.find((one) => one.scenario === scenario)?.arms ?? []
    const played = new Map(arms.map((arm) => [arm.name, arm]))
    const merged = known.map((arm) => played.get(arm.name) ?? arm)
    return { scenario, arms: merged.length === 0 ? arms : merged }
  })
  return { on: again.on, scenarios }
}
