/** What many comparisons say of our arm, in words: where it leads, and every scenario in which it does not. */
import { armNamed, beatersOf, hindsightArm, overallOf } from './overall.ts'
import { type ArmSummary, type ScenarioSummary, unboundArm } from './summary.ts'
import { ourArm } from './verdicts.ts'

/** Made by hand by somebody who knows every latency target: nothing that decides by itself. */
const handMade: readonly string[] = ['by-hand', 'small-batch']

/** Of the work of no limits. */
const ENOUGH_WORK = 0.99

export function overallVerdicts(all: readonly ScenarioSummary[]): string[] {
  const names = all[0]?.arms.map(({ name }) => name) ?? []
  if (!names.includes(ourArm)) return []
  const withoutHindsight = without(all, [hindsightArm])
  const played = handMade.filter((name) => names.includes(name))
  const selfMade = without(all, [hindsightArm, ...played])
  const which = [hindsightArm, ...played].join(', ')
  return [
    ...missedVerdicts(withoutHindsight, 'oracle aside'),
    ...(played.length > 0 ? missedVerdicts(selfMade, `${which} aside`) : []),
    ...(names.includes(unboundArm) ? [workVerdict(all)] : []),
    promiseVerdict(all),
    ...(names.includes(unboundArm) ? [togetherVerdict(selfMade, `${which} aside`)] : []),
  ]
}

const without = (
  all: readonly ScenarioSummary[],
  aside: readonly string[],
): readonly ScenarioSummary[] =>
  all.map(({ scenario, arms }) => ({
    scenario,
    arms: arms.filter(({ name }) => !aside.includes(name)),
  }))

function missedVerdicts(all: readonly ScenarioSummary[], which: string): string[] {
  const overall = overallOf(all)
  const ours = overall.find(({ name }) => name === ourArm)
  const [best] = overall
    .filter(({ name }) => name !== ourArm)
    .toSorted((a, b) => a.missedRatio - b.missedRatio)
  if (ours === undefined || best === undefined || ours.withTargets === 0) return []
  const share =
    best.missedRatio === 0 ? '' : `, ${(ours.missedRatio / best.missedRatio).toFixed(2)} of it`
  const behind = all.flatMap(({ scenario, arms }) => {
    const { missedRatio = 0 } = armNamed(arms, ourArm)
    const [first] = beatersOf(armNamed(arms, ourArm), arms)
    if (first === undefined) return []
    return [
      `${scenario} (${points(missedRatio)} against ${points(first.missedRatio ?? 0)} of ${first.name})`,
    ]
  })
  return [
    `${ourArm} misses ${points(ours.missedRatio)} of targets, the best other arm, ${best.name}, ${points(best.missedRatio)} (${which})${share}.`,
    `In ${ours.unbeaten} of ${ours.withTargets} scenarios with targets no other arm misses fewer by more than half a point (${which})${listed('; one does in', behind)}.`,
  ]
}

const doesEnough = ({ workBesideUnbound: work = 1 }: ArmSummary): boolean => work >= ENOUGH_WORK

function workVerdict(all: readonly ScenarioSummary[]): string {
  const less = all.flatMap(({ scenario, arms }) => {
    const arm = armNamed(arms, ourArm)
    return doesEnough(arm) ? [] : [`${scenario} (${points(arm.workBesideUnbound ?? 1)})`]
  })
  const done = `In ${all.length - less.length} of ${all.length} scenarios ${ourArm} does at least ${points(ENOUGH_WORK)} of the work of ${unboundArm}`
  return `${done}${listed('; less in', less)}.`
}

function promiseVerdict(all: readonly ScenarioSummary[]): string {
  const more = all.flatMap(({ scenario, arms }) =>
    armNamed(arms, ourArm).overPromised.map((one) => `${scenario} ${one}`),
  )
  if (more.length === 0) {
    return `Where a written request covers what a workload wants, ${ourArm} promises no more than that in any scenario.`
  }
  return `Where a written request covers what a workload wants, ${ourArm} promises more than that${listed(' in', more)}.`
}

function togetherVerdict(all: readonly ScenarioSummary[], which: string): string {
  const good = all.filter(({ arms }) => {
    const arm = armNamed(arms, ourArm)
    return beatersOf(arm, arms).length === 0 && doesEnough(arm) && arm.overPromised.length === 0
  })
  return `Targets, work and promises are all so in ${good.length} of ${all.length} scenarios (${which}).`
}

const points = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`

const listed = (lead: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `${lead} ${names.join(', ')}`
