/** Control laws side by side in the simulated kernel, and what prediction and learning add to ours. */
import { table, wrap } from '../../src/apps/cli/show.ts'
import type { Bench } from './bench.ts'
import { type Addition, type Contestant, contest } from './control/contest.ts'
import type { Outcome } from './control/pass.ts'
import { passSeconds, profiles, warmUpSeconds } from './control/profile.ts'
import { judge, type Ratio } from './control/verdict.ts'
import { betterIn, quantile } from './statistics.ts'

const columns = [
  { title: 'LAW', align: 'left' },
  { title: 'QUOTA', align: 'right' },
  { title: 'P50', align: 'right' },
  { title: 'P95', align: 'right' },
  { title: 'P99', align: 'right' },
  { title: 'THROTTLED', align: 'right' },
  { title: 'CHANGES/MIN', align: 'right' },
  { title: 'X3 AFTER', align: 'right' },
] as const

export const control: Bench = {
  name: 'control',
  about:
    'control laws of others and ours over 7 simulated loads; does prediction or learning help?',
  run() {
    const { unlimited, rivals, ours, plain, additions } = contest()
    const laws = [unlimited, ...rivals, ...ours, ...additions.map(({ added }) => added)]
    console.log('\nControl laws in the simulated kernel\n')
    console.log(table(columns, laws.map(rowOf)).join('\n'))
    console.log('\np99 in ms by load\n')
    console.log(table(loadColumns, laws.map(loadRow)).join('\n'))
    console.log(`\n${plain.name} beside the others, pass by pass\n`)
    const duels = rivals.map((rival) => duelRow(plain, rival))
    console.log(table(duelColumns, duels).join('\n'))
    const names = profiles.map(({ name }) => name).join(', ')
    const notes = [
      `Loads: ${names}; three seeds each, ${passSeconds - warmUpSeconds} s after ${warmUpSeconds} s of warm-up; one thread, requests of 1 ms CPU on average. Quota in cores, mean over passes; latency in ms from the arrival, over all requests of all passes; throttled: share of the periods; x3 after: seconds from the step to a quota of the new demand, median, 0 where it was enough before. Demand: ${mean(unlimited.outcomes, 'usageCores').toFixed(3)} cores.`,
      'Static, VPA and Koordinator know the load from earlier passes: p99 and median of its use in a second, an hour of minutes. All other laws start where static stays. Bursts: none for static, VPA and Captain, the quota for Koordinator and ours.',
      'Pass by pass: means of ratios, in which every load counts alike, with 95 % intervals; better beyond doubt. All requests: by the figures of the first table, in which the worst loads decide.',
      'Verdicts: what is added helps if p99 or quota is better beyond doubt and the other no more than 0.5 % worse. The learner was taught on other seeds.',
    ]
    console.log(['', ...notes.flatMap((note) => wrap(note, 100, 0)), ''].join('\n'))
    console.log(additions.flatMap((addition) => verdictOn(plain, addition)).join('\n'))
  },
}

type Figure = 'quotaCores' | 'usageCores' | 'throttledRatio' | 'changesPerMinute'

const mean = (outcomes: readonly Outcome[], figure: Figure): number =>
  outcomes.reduce((sum, outcome) => sum + outcome[figure], 0) / outcomes.length

function rowOf({ name, outcomes }: Contestant): string[] {
  const latencies = pooled(outcomes)
  return [
    name,
    mean(outcomes, 'quotaCores').toFixed(3),
    ...[0.5, 0.95, 0.99].map((ratio) => showMillis(quantile(latencies, ratio))),
    mean(outcomes, 'throttledRatio').toFixed(3),
    mean(outcomes, 'changesPerMinute').toFixed(1),
    showStep(outcomes),
  ]
}

const loadColumns = [
  { title: 'LAW', align: 'left' },
  ...profiles.map(({ name }) => ({ title: name.toUpperCase(), align: 'right' }) as const),
] as const

const loadRow = ({ name, outcomes }: Contestant): string[] => [
  name,
  ...profiles.map((profile) =>
    showMillis(quantile(pooled(outcomes.filter(({ scene }) => scene.profile === profile)), 0.99)),
  ),
]

const pooled = (outcomes: readonly Outcome[]): Float64Array =>
  Float64Array.from(outcomes.flatMap(({ latencies }) => [...latencies])).toSorted()

const showMillis = (value = NaN): string => value.toFixed(value < 10 ? 1 : 0)

function showStep(outcomes: readonly Outcome[]): string {
  const all = outcomes.flatMap(({ stepSeconds }) => stepSeconds ?? []).toSorted((a, b) => a - b)
  const median = quantile(all, 0.5) ?? NaN
  return median === Infinity ? 'never' : `${median.toFixed(2)} s`
}

const duelColumns = [
  { title: 'BESIDE', align: 'left' },
  { title: 'P99 OF OURS', align: 'right' },
  { title: 'QUOTA OF OURS', align: 'right' },
  { title: 'BETTER IN', align: 'left' },
  { title: 'ALL REQUESTS', align: 'left' },
] as const

/** Pass by pass, where each load counts alike, and over all requests, where the worst loads decide. */
function duelRow(ours: Contestant, rival: Contestant): string[] {
  const { p99, quota } = judge(rival.outcomes, ours.outcomes)
  const all = ({ outcomes }: Contestant) => quantile(pooled(outcomes), 0.99) ?? NaN
  const isLess = mean(ours.outcomes, 'quotaCores') < mean(rival.outcomes, 'quotaCores')
  return [
    rival.name,
    show(p99),
    show(quota),
    betterIn(p99.high < 1, quota.high < 1),
    betterIn(all(ours) < all(rival), isLess),
  ]
}

function verdictOn(plain: Contestant, { what, added, evenly }: Addition): string[] {
  const { p99, quota, helps } = judge(plain.outcomes, added.outcomes)
  const even = judge(plain.outcomes, evenly)
  const verdict = helps ? 'helps' : 'does not help'
  const text = [
    `${what} ${verdict}: beside ${plain.name}, pass by pass, p99 ${show(p99)} and quota ${show(quota)}.`,
    `As much quota for all without it: p99 ${show(even.p99)} and quota ${show(even.quota)}.`,
  ]
  return wrap(text.join(' '), 100, 2)
}

const show = ({ mean, low, high }: Ratio): string =>
  `x ${mean.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`
