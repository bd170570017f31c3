/** The tables of the bench, at most 100 columns wide. */
import { table, wrap } from '../../../src/apps/cli/show.ts'
import type { Interval } from '../statistics.ts'
import type { Plan } from './contest.ts'
import type { ArmSummary, Verdict } from './summary.ts'

const columnsOf = (first: string, ...rest: readonly string[]) => [
  { title: first, align: 'left' as const },
  ...rest.map((title) => ({ title, align: 'right' as const })),
]

export function report(summaries: readonly ArmSummary[], verdicts: readonly Verdict[]): string[] {
  return [
    'Means of the repeats',
    '',
    ...table(figureColumns, summaries.map(figureRow)),
    '',
    'Less ours, repeat by repeat, with 95 % intervals; what else ran',
    '',
    ...table(differenceColumns, summaries.map(differenceRow)),
    '',
    'Ours beside each rival: p99 over all requests, average quota',
    '',
    ...table(verdictColumns, verdicts.map(verdictRow)),
  ]
}

const figureColumns = columnsOf(
  'ARM',
  'P50',
  'P95',
  'P99',
  'THROTTLED',
  'PROMISED',
  'ALLOWED',
  'USED',
  'CHANGES',
  'JAIN',
  'X3 AFTER',
)

function figureRow({ name, means, stepSeconds }: ArmSummary): string[] {
  const cores = [means.promisedCores, means.allowedCores, means.usedCores]
  return [
    name,
    ...[means.p50, means.p95, means.p99].map(({ mean }) => showMillis(mean)),
    means.throttledRatio.mean.toFixed(3),
    ...cores.map(({ mean }) => mean.toFixed(2)),
    means.changesPerMinute.mean.toFixed(1),
    means.jain.mean.toFixed(3),
    stepSeconds === Infinity ? 'never' : `${stepSeconds.toFixed(2)} s`,
  ]
}

const showMillis = (value: number): string => value.toFixed(value < 10 ? 1 : 0)

const differenceColumns = columnsOf('ARM', 'P99', 'ALLOWED', 'USED', 'OTHERS', 'STEAL')

function differenceRow({ name, lessOurs, disturbance }: ArmSummary): string[] {
  const { stealRatio, othersRatio } = disturbance
  return [
    name,
    showInterval(lessOurs?.p99, 0),
    showInterval(lessOurs?.allowedCores, 2),
    showInterval(lessOurs?.usedCores, 2),
    percent(othersRatio),
    percent(stealRatio),
  ]
}

function showInterval(interval: Interval | undefined, digits: number): string {
  if (interval === undefined) return ''
  const show = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(digits)}`
  const { mean, low, high } = interval
  if (low === undefined || high === undefined) return show(mean)
  return `${show(mean)} (${show(low)} to ${show(high)})`
}

const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`

const verdictColumns = [
  ...columnsOf('OURS', 'RIVAL', 'P99', 'QUOTA').with(1, { title: 'RIVAL', align: 'left' }),
  { title: 'BETTER IN', align: 'left' as const },
]

const verdictRow = ({ ours, rival, p99Ratio, quotaRatio, betterIn }: Verdict): string[] => [
  ours,
  rival,
  `x ${p99Ratio.toFixed(3)}`,
  `x ${quotaRatio.toFixed(3)}`,
  betterIn,
]

/** What the figures mean, for who reads only these tables. */
export function notesOf({ repeats, passSeconds, seed, step }: Plan): string[] {
  const notes = [
    `${repeats} repeats of ${passSeconds} s from seed ${seed}. Each arm gets the same requests; services: gateway (4 ms CPU), worker A (30 ms), worker B (10 ms, one in five 30 ms), noise (40 ms), one thread each. Phases as in the seeds, 2:5:5:3: warm-up at 13 % of the machine, saturation at 65 %, contention at 130 %, bursts from 26 to 130 % of each service at its own times.`,
    'Latency in ms from the intended arrival, in saturation and bursts, without noise. All else is counted from the end of the warm-up. Throttled: share of the periods; promised (requests), allowed (quotas, read every 100 ms, at most the machine) and used: cores, all groups together; changes: of a quota, a minute; Jain: over used/demanded in contention, after which nobody waits for what has not begun.',
    `X3 after: from a load x 3 to a quota of the new demand, median of ${step.groups} groups. All start with p99 of their need in a second, cut to what the machine can promise; VPA with its target from an hour of the load, Koordinator with the median as its base (before the step with p99, as it never exceeds three bases). Bursts: none for static, VPA and Captain, the quota for Koordinator and ours. Quotas are of 100 ms, by our program of the second that it sets on a host.`,
    'MBCAS is the program itself in its own process; the laws of others run in the process of the bench. Others: what else ran, and the agent.',
  ]
  return notes.flatMap((note) => wrap(note, 100, 0))
}
