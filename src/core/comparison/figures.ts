/** The figures of a comparison: what each is called, how it is shown, and which of two is better. */
import type { ArmResult } from './arm-result.ts'

export type Figure = {
  readonly what: string
  readonly read: (arm: ArmResult) => number | undefined
  readonly show: (value: number) => string
  /** `none`: neither more nor less is better in itself. */
  readonly better: 'less' | 'more' | 'none'
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`
const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const cores = (amount: number): string => `${amount.toFixed(2)} cores`

export const missed: Figure = {
  what: 'targets missed',
  read: ({ sloViolationRatio, p99Millis }) =>
    p99Millis === undefined ? undefined : sloViolationRatio,
  show: percent,
  better: 'less',
}
export const promised: Figure = {
  what: 'CPU promised',
  read: ({ promisedCores }) => promisedCores,
  show: cores,
  better: 'less',
}
/** Used over demanded: what quotas and full nodes hold back is missing. */
export const workDone: Figure = {
  what: 'work done',
  read: ({ usedCores, demandedCores }) =>
    demandedCores === 0 ? undefined : Math.min(1, usedCores / demandedCores),
  show: percent,
  better: 'more',
}

/** Of what pods wanted within the requests that their owners wrote, what they had. */
const kept: Figure = {
  what: 'requests kept',
  read: ({ keptRatio }) => keptRatio,
  show: percent,
  better: 'more',
}

export const figures: readonly Figure[] = [
  missed,
  { what: 'p99', read: ({ p99Millis }) => p99Millis, show: milliseconds, better: 'less' },
  {
    what: 'throttled periods',
    read: ({ throttledRatio }) => throttledRatio,
    show: percent,
    better: 'less',
  },
  workDone,
  kept,
  promised,
  { what: 'CPU used', read: ({ usedCores }) => usedCores, show: cores, better: 'none' },
  { what: 'changes', read: ({ changes }) => changes, show: String, better: 'less' },
  {
    what: 'fairness (Jain)',
    read: ({ jain }) => jain,
    show: (index) => index.toFixed(3),
    better: 'more',
  },
  {
    what: 'pods without a node',
    read: ({ pendingPods }) => pendingPods,
    show: (pods) => pods.toFixed(1),
    better: 'less',
  },
  { what: 'restarts', read: ({ restarts }) => restarts, show: String, better: 'less' },
]

export function showFigure({ read, show }: Figure, arm: ArmResult): string {
  const value = read(arm)
  return value === undefined ? '-' : show(value)
}

/** Below 0 if `a` is better. As a table shows them: what looks equal is equal. */
export function compareBy(figure: Figure, a: ArmResult, b: ArmResult): number {
  const [left, right] = [figure.read(a), figure.read(b)]
  if (left === undefined || right === undefined || figure.better === 'none') return 0
  if (figure.show(left) === figure.show(right)) return 0
  return left < right === (figure.better === 'less') ? -1 : 1
}

/** The arms that none is better than, unless all are alike. */
export function leadersIn(figure: Figure, arms: readonly ArmResult[]): readonly ArmResult[] {
  const leaders = arms.filter((arm) => arms.every((other) => compareBy(figure, arm, other) <= 0))
  return leaders.length === arms.length ? [] : leaders
}

/** By workload with a target, in words, one for each arm. */
export type MissedRow = { readonly what: string; readonly texts: readonly string[] }

export function missedByWorkload(arms: readonly ArmResult[]): MissedRow[] {
  return (arms[0]?.workloads ?? []).flatMap(({ name, targetMillis }) => {
    if (targetMillis === undefined) return []
    const texts = arms.map(({ workloads }) => {
      const ratio = workloads.find((workload) => workload.name === name)?.sloViolationRatio
      return ratio === undefined ? '-' : percent(ratio)
    })
    return [{ what: `${name}, ${milliseconds(targetMillis)}`, texts }]
  })
}
