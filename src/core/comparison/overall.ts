/**
 * What many comparisons say together, of each arm: scenarios count alike, however long or large they are.
 */
import type { ArmResult } from './arm-result.ts'
import { missed, workDone } from './figures.ts'

/** It knows what will happen: nobody is measured by it. */
export const hindsightArm = 'oracle'
/** What is done where nothing is held back. */
export const unboundArm = 'unlimited'

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

/** `all`: by scenario, the arms of one comparison, which are the same in each. */
export function overallOf(all: readonly (readonly ArmResult[])[]): ArmOverall[] {
  const names = all[0]?.map(({ name }) => name) ?? []
  return names.map((name) => overallOfArm(name, all))
}

function overallOfArm(name: string, all: readonly (readonly ArmResult[])[]): ArmOverall {
  const own = all.map((arms) => ({ arm: armNamed(arms, name), arms }))
  const judged = own.filter(({ arm }) => missed.read(arm) !== undefined)
  const works = own.flatMap(({ arm, arms }) => workBesideUnbound(arm, arms) ?? [])
  return {
    name,
    missedRatio: meanOf(judged.map(({ arm }) => arm.sloViolationRatio)),
    unbeaten: judged.filter(({ arm, arms }) => beatersOf(arm, arms).length === 0).length,
    withTargets: judged.length,
    workRatio: meanOf(own.map(({ arm }) => workDone.read(arm) ?? 1)),
    ...(works.length > 0 && { leastWorkRatio: round(Math.min(...works)) }),
    keptRatio: meanOf(own.map(({ arm }) => arm.keptRatio ?? 1)),
    promisedCores: meanOf(own.map(({ arm }) => arm.promisedCores)),
    overPromised: own.reduce((sum, { arm }) => sum + overPromisedIn(arm).length, 0),
  }
}

/** Who misses fewer targets by more than half a point, hindsight aside; the best first. */
export const beatersOf = (arm: ArmResult, arms: readonly ArmResult[]): readonly ArmResult[] =>
  arms
    .filter(
      ({ name, sloViolationRatio }) =>
        name !== hindsightArm && arm.sloViolationRatio - sloViolationRatio > BEHIND_RATIO,
    )
    .toSorted((a, b) => a.sloViolationRatio - b.sloViolationRatio)

/** Of the work that is done without limits; undefined where that was not played, or did nothing. */
export function workBesideUnbound(arm: ArmResult, arms: readonly ArmResult[]): number | undefined {
  const unbound = arms.find(({ name }) => name === unboundArm)?.usedCores ?? 0
  return unbound === 0 ? undefined : arm.usedCores / unbound
}

/** Rounding of requests, and pods that come and go, make no more difference than this. */
const SAME_RATIO = 1.01

/** Those whose written request covers what they want on average, and that were promised more. */
export const overPromisedIn = ({ workloads }: ArmResult): ArmResult['workloads'] =>
  workloads.filter(
    ({ writtenCores, demandedCores, promisedCores }) =>
      writtenCores >= demandedCores && promisedCores > SAME_RATIO * writtenCores,
  )

export function armNamed(arms: readonly ArmResult[], name: string): ArmResult {
  const found = arms.find((arm) => arm.name === name)
  if (found === undefined)
    throw new Error(`adding up comparisons: expected ${name} in each of them`)
  return found
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : round(values.reduce((sum, one) => sum + one, 0) / values.length)

const round = (value: number): number => Math.round(value * 1e4) / 1e4
