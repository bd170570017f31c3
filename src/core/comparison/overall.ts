/**
 * What many comparisons say together, of each arm: scenarios count alike, however long or large they are.
 */
import type { ArmSummary, ScenarioSummary } from './summary.ts'

/** It knows what will happen: nobody is measured by it. */
export const hindsightArm = 'oracle'

/** Of target windows: who misses so much more is behind. */
export const BEHIND_RATIO = 0.005

export type ArmOverall = {
  readonly name: string
  /** Mean of the scenarios with targets. */
  readonly missedRatio: number
  /** Of those, in how many no other arm, hindsight aside, missed fewer by more than half a point. */
  readonly unbeaten: number
  readonly withTargets: number
  /** Used over demanded, mean of all. */
  readonly workRatio: number
  /** Of the work that is done without limits, the least in any scenario. */
  readonly leastWorkRatio?: number
  /** Of what pods wanted within their requests as written, what they had, mean of all. */
  readonly keptRatio: number
  readonly promisedCores: number
  /** Workloads whose written request covers what they want on average, and that were promised more. */
  readonly overPromised: number
}

/** The arms are the same in each. */
export function overallOf(all: readonly ScenarioSummary[]): ArmOverall[] {
  const names = all[0]?.arms.map(({ name }) => name) ?? []
  return names.map((name) => overallOfArm(name, all))
}

function overallOfArm(name: string, all: readonly ScenarioSummary[]): ArmOverall {
  const own = all.map(({ arms }) => ({ arm: armNamed(arms, name), arms }))
  const judged = own.filter(({ arm }) => arm.missedRatio !== undefined)
  const works = own.flatMap(({ arm }) => arm.workBesideUnbound ?? [])
  return {
    name,
    missedRatio: meanOf(judged.map(({ arm }) => arm.missedRatio ?? 0)),
    unbeaten: judged.filter(({ arm, arms }) => beatersOf(arm, arms).length === 0).length,
    withTargets: judged.length,
    workRatio: meanOf(own.map(({ arm }) => arm.workRatio)),
    ...(works.length > 0 && { leastWorkRatio: round(Math.min(...works)) }),
    keptRatio: meanOf(own.map(({ arm }) => arm.keptRatio ?? 1)),
    promisedCores: meanOf(own.map(({ arm }) => arm.promisedCores)),
    overPromised: own.reduce((sum, { arm }) => sum + arm.overPromised.length, 0),
  }
}

/** Who misses fewer targets by more than half a point, hindsight aside; the best first. */
export const beatersOf = (
  { missedRatio: own = 0 }: ArmSummary,
  arms: readonly ArmSummary[],
): readonly ArmSummary[] =>
  arms
    .filter(
      ({ name, missedRatio = Infinity }) =>
        name !== hindsightArm && own - missedRatio > BEHIND_RATIO,
    )
    .toSorted((a, b) => (a.missedRatio ?? 0) - (b.missedRatio ?? 0))

export function armNamed(arms: readonly ArmSummary[], name: string): ArmSummary {
  const found = arms.find((arm) => arm.name === name)
  if (found === undefined)
    throw new Error(`adding up comparisons: expected ${name} in each of them`)
  return found
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : round(values.reduce((sum, one) => sum + one, 0) / values.length)

const round = (value: number): number => Math.round(value * 1e4) / 1e4
