/**
 * Ours against the bars that were set before it was measured. There is none for contention, where one
 * service lacks what another has: the tables show both.
 */
import { medianOf } from '../programs/summary.ts'
import type { Interval } from '../statistics.ts'
import { armNames } from './arm.ts'
import type { Repeated } from './contest.ts'
import { bars } from './frozen.ts'
import { type GroupSummary, p99Ratio, type Pair } from './summary.ts'

export type Verdict = {
  readonly scene: string
  readonly group: string
  readonly figure: string
  readonly value: Interval
  readonly bar: string
  readonly isMet: boolean
}

export function judge(passes: readonly Repeated[], summaries: readonly GroupSummary[]): Verdict[] {
  const own = summaries.filter(({ arm }) => arm === armNames.ours)
  return [...hogVerdicts(passes), ...own.flatMap((one) => judgeGroup(one, { passes, summaries }))]
}

function hogVerdicts(passes: readonly Repeated[]): Verdict[] {
  const own = passes.filter(({ arm }) => arm === armNames.ours)
  const values = own.flatMap(({ hogOfLeft }) => hogOfLeft ?? [])
  if (values.length === 0) return []
  const value = { mean: medianOf(values), low: Math.min(...values), high: Math.max(...values) }
  return [
    {
      scene: 'beside-hog',
      group: 'hog',
      figure: 'of what is left, has',
      value,
      bar: `at least ${bars.leastOfLeft}`,
      isMet: value.mean >= bars.leastOfLeft,
    },
  ]
}

type All = { readonly passes: readonly Repeated[]; readonly summaries: readonly GroupSummary[] }

function judgeGroup({ scene, group }: GroupSummary, all: All): Verdict[] {
  const { passes, summaries } = all
  const others = [...new Set(summaries.map(({ arm }) => arm))].filter(
    (arm) => arm !== armNames.ours,
  )
  return others.flatMap((rival) => {
    const pair = { scene, group, ours: armNames.ours, rival }
    const value = p99Ratio(passes, pair)
    return value === undefined ? [] : judgePair(pair, value)
  })
}

function judgePair(pair: Pair, value: Interval): Verdict[] {
  const { scene, group, rival } = pair
  const of = { scene, group, figure: `p99 to ${rival}`, value }
  const { mostToAlone, mostToByHand } = bars
  const knowing = { 'by hand': mostToByHand, 'cpu.idle': mostToByHand }
  const most = { alone: mostToAlone, ...knowing }[rival]
  if (rival in knowing && scene !== 'beside-hog') return []
  if (most !== undefined) {
    return [{ ...of, bar: `at most ${most}`, isMet: value.mean <= most }]
  }
  // Ahead is who is so beyond chance: the whole interval is on its side.
  return [{ ...of, bar: 'not behind', isMet: (value.low ?? value.mean) <= 1 }]
}
