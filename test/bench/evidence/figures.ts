/** The figures of comparisons as docs/figures keeps them: what the page needs, and what a replay must give again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { armNames } from '../../../src/core/comparison/arm-names.ts'
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

/** The figures that are kept, with those arms that were played again in their places, and new ones. */
export function merge(before: Measured, again: Measured): Measured {
  const scenarios = before.scenarios.map(({ scenario, arms }) => {
    const played = again.scenarios.find((one) => one.scenario === scenario)?.arms ?? []
    const all = new Map([...arms, ...played].map((arm) => [arm.name, arm]))
    return { scenario, arms: armNames.flatMap((name) => all.get(name) ?? []) }
  })
  const on = before.on === again.on ? again.on : `${before.on.slice(0, 10)} to ${again.on}`
  return { on, scenarios }
}
