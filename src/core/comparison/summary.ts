/** What is kept of a comparison when there are many: the figures by which arms are told apart. */
import type { ArmResult, WorkloadResult } from './arm-result.ts'
import { missed, workDone } from './figures.ts'

/** What is done where nothing is held back. */
export const unboundArm = 'unlimited'

export type ArmSummary = {
  readonly name: string
  /** Of target windows; undefined where there are none. */
  readonly missedRatio?: number
  /** Used over demanded. */
  readonly workRatio: number
  /** Of the work of no limits; undefined where that was not played, or did nothing. */
  readonly workBesideUnbound?: number
  /** Of what pods wanted within their requests as written, what they had. */
  readonly keptRatio?: number
  readonly promisedCores: number
  readonly changes: number
  /** Workloads that were promised more than a written request which covers what they want. */
  readonly overPromised: readonly string[]
}

export type ScenarioSummary = { readonly scenario: string; readonly arms: readonly ArmSummary[] }

export function summaryOf(scenario: string, arms: readonly ArmResult[]): ScenarioSummary {
  const unbound = arms.find(({ name }) => name === unboundArm)?.usedCores ?? 0
  return { scenario, arms: arms.map((arm) => armSummary(arm, unbound)) }
}

function armSummary(arm: ArmResult, unboundCores: number): ArmSummary {
  const missedRatio = missed.read(arm)
  const { name, keptRatio, promisedCores, usedCores, changes } = arm
  return {
    name,
    ...(missedRatio !== undefined && { missedRatio }),
    workRatio: rounded(workDone.read(arm) ?? 1),
    ...(unboundCores > 0 && { workBesideUnbound: rounded(usedCores / unboundCores) }),
    ...(keptRatio !== undefined && { keptRatio }),
    promisedCores,
    changes,
    overPromised: arm.workloads.filter(isOverPromised).map(describe),
  }
}

/** Rounding of requests, and pods that come and go, make no more difference than this. */
const SAME_RATIO = 1.01

/** Its written request covers what it wants on average, and it was promised more. */
const isOverPromised = ({ writtenCores, demandedCores, promisedCores }: WorkloadResult): boolean =>
  writtenCores >= demandedCores && promisedCores > SAME_RATIO * writtenCores

const describe = ({ name, promisedCores, writtenCores, demandedCores }: WorkloadResult): string =>
  `${name} (${promisedCores.toFixed(2)} cores, requested ${writtenCores.toFixed(2)}, wanted ${demandedCores.toFixed(2)})`

const rounded = (ratio: number): number => Math.round(ratio * 1e4) / 1e4
