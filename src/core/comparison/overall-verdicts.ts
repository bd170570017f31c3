/** What many comparisons say of our arm, in words: where it leads, and every scenario in which it does not. */
import type { ArmResult } from './arm-result.ts'
import {
  armNamed,
  beatersOf,
  hindsightArm,
  overallOf,
  overPromisedIn,
  unboundArm,
  workBesideUnbound,
} from './overall.ts'
import { ourArm } from './verdicts.ts'

export type Compared = { readonly name: string; readonly arms: readonly ArmResult[] }

/** It takes what others requested, which nobody who shares a cluster may: it shows what keeping it costs. */
export const byHandArm = 'by-hand'

/** Of the work of no limits. */
const ENOUGH_WORK = 0.99

export function overallVerdicts(all: readonly Compared[]): string[] {
  const names = all[0]?.arms.map(({ name }) => name) ?? []
  if (!names.includes(ourArm)) return []
  return [
    ...missedVerdicts(all, [hindsightArm]),
    ...(names.includes(byHandArm) ? missedVerdicts(all, [hindsightArm, byHandArm]) : []),
    ...(names.includes(unboundArm) ? [workVerdict(all)] : []),
    promiseVerdict(all),
  ]
}

function missedVerdicts(all: readonly Compared[], aside: readonly string[]): string[] {
  const scenarios = all.map(({ name, arms }) => ({
    name,
    arms: arms.filter((arm) => !aside.includes(arm.name)),
  }))
  const overall = overallOf(scenarios.map(({ arms }) => arms))
  const ours = overall.find(({ name }) => name === ourArm)
  const [best] = overall
    .filter(({ name }) => name !== ourArm)
    .toSorted((a, b) => a.missedRatio - b.missedRatio)
  if (ours === undefined || best === undefined || ours.withTargets === 0) return []
  const share =
    best.missedRatio === 0 ? '' : `, ${(ours.missedRatio / best.missedRatio).toFixed(2)} of it`
  const behind = scenarios.flatMap(({ name, arms }) => {
    const arm = armNamed(arms, ourArm)
    const [first] = beatersOf(arm, arms)
    if (first === undefined) return []
    return [
      `${name} (${points(arm.sloViolationRatio)} against ${points(first.sloViolationRatio)} of ${first.name})`,
    ]
  })
  const which = `${aside.join(' and ')} aside`
  return [
    `${ourArm} misses ${points(ours.missedRatio)} of targets, the best other arm, ${best.name}, ${points(best.missedRatio)} (${which})${share}.`,
    `In ${ours.unbeaten} of ${ours.withTargets} scenarios with targets no other arm misses fewer by more than half a point (${which})${listed('; one does in', behind)}.`,
  ]
}

function workVerdict(all: readonly Compared[]): string {
  const less = all.flatMap(({ name, arms }) => {
    const ratio = workBesideUnbound(armNamed(arms, ourArm), arms) ?? 1
    return ratio < ENOUGH_WORK ? [`${name} (${points(ratio)})`] : []
  })
  const done = `In ${all.length - less.length} of ${all.length} scenarios ${ourArm} does at least ${points(ENOUGH_WORK)} of the work of ${unboundArm}`
  return `${done}${listed('; less in', less)}.`
}

function promiseVerdict(all: readonly Compared[]): string {
  const more = all.flatMap(({ name, arms }) =>
    overPromisedIn(armNamed(arms, ourArm)).map(
      (one) =>
        `${name} ${one.name} (${one.promisedCores.toFixed(2)} cores, requested ${one.writtenCores.toFixed(2)}, wanted ${one.demandedCores.toFixed(2)})`,
    ),
  )
  if (more.length === 0) {
    return `Where a written request covers what a workload wants, ${ourArm} promises no more than that in any scenario.`
  }
  return `Where a written request covers what a workload wants, ${ourArm} promises more than that${listed(' in', more)}.`
}

const points = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`

const listed = (lead: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `${lead} ${names.join(', ')}`
