/** How well demand is estimated on the real kernel, after a quota that was too small is released. */
import { parseArgs } from 'node:util'

import { wrap } from '../../src/apps/cli/show.ts'
import { casesOf, describeEstimator, type EstimatorCase, rowOf } from '../demand/estimator-table.ts'
import { FROZEN_SECONDS, type Released } from '../demand/release.ts'
import type { Bench } from './bench.ts'
import { type Measured, measureReleases, type Run, whyNot } from './estimator/measure.ts'

/** The bars: so close five seconds after the release, and below no longer than the fast loop. */
const MOST_ERROR = 0.1
const MOST_BELOW_SECONDS = 2

/** Large requests are fewer: of more cores, so that chance says less. */
const loads = [
  { loop: 'open', cpuMillis: 1, cores: 0.1 },
  { loop: 'open', cpuMillis: 10, cores: 0.2 },
  { loop: 'closed', cpuMillis: 1, cores: 0.1 },
] as const

export const estimator: Bench = {
  name: 'estimator',
  about: 'demand as estimated in real groups after too small a quota; --repeats 3, --quick',
  async run(flags) {
    const { values } = parseArgs({
      args: [...flags],
      options: { repeats: { type: 'string', default: '3' }, quick: { type: 'boolean' } },
    })
    const { quick: isQuick = false } = values
    const repeats = isQuick ? 1 : Number(values.repeats)
    if (!(repeats > 0)) throw new Error(`--repeats: expected 1 or more, got ${values.repeats}`)
    const cases = loads.flatMap(({ cores, ...load }) =>
      casesOf([load])
        .filter((of) => !isQuick || isQuickCase(of))
        .map((of) => ({ of, cores })),
    )
    console.log('\nThe estimate of demand in real groups, after a quota that was too small\n')
    const reason = await whyNot()
    if (reason === undefined) print(await measureReleases(cases, repeats))
    else console.log(`Not measured: ${reason}`)
  },
}

const isQuickCase = ({ samplingSeconds, threads, frozenRatio }: EstimatorCase): boolean =>
  samplingSeconds === 0.25 && threads === 2 && frozenRatio === 0.5

function print({ runs, othersCores }: Measured): void {
  const cases = groupBy(runs, ({ of }) => JSON.stringify(of))
  console.log(describeEstimator(cases.map(([first, all]) => rowOf(first.of, all.map(releasedOf)))))
  console.log('\nAll threads and quotas together\n')
  const alike = groupBy(runs, ({ of: { loop, cpuMillis, samplingSeconds } }) =>
    JSON.stringify([loop, cpuMillis, samplingSeconds]),
  )
  const pooled = alike.map(([{ of }, all]) => {
    const { loop, cpuMillis, samplingSeconds } = of
    return rowOf({ loop, cpuMillis, samplingSeconds }, all.map(releasedOf))
  })
  console.log(describeEstimator(pooled))
  const notes = [
    `Sampled every so many ms. Quota: while frozen, for ${FROZEN_SECONDS} s, as a part of demand; then it is lifted. Median/worst over the runs: the error of the estimate in percent of true demand, so many seconds after the release; the longest time after the release below 0.9 of true demand and below all of it, in seconds; the highest estimate over it.`,
    'True demand is the CPU time of what came in the five seconds after the release. Chance: how much what came in the last three of them differs from it. Open loop: Poisson arrivals; closed: 4 clients that think for exponential times. All requests of a load take the same CPU time.',
    `Others used ${othersCores.toFixed(2)} cores of the machine meanwhile.`,
  ]
  console.log(['', ...notes.flatMap((note) => wrap(note, 100, 0)), '', ...judge(runs)].join('\n'))
}

function judge(runs: readonly Run[]): string[] {
  const all = runs.map(releasedOf)
  const count = (isMet: (released: Released) => boolean) =>
    `${all.filter(isMet).length} of ${all.length} runs`
  const isClose = ({ errors }: Released) => (errors.at(-1) ?? NaN) <= MOST_ERROR
  return [
    `Within 10 % five seconds after the release: ${count(isClose)}`,
    `Below 0.9 for no longer than 2 s: ${count((one) => one.belowSeconds <= MOST_BELOW_SECONDS)}`,
  ]
}

const releasedOf = ({ released }: Run): Released => released

/** In the order in which each group first occurs, with its first. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [T, T[]][] {
  const groups = new Map<string, [T, T[]]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item, [item]])
    else group[1].push(item)
  }
  return [...groups.values()]
}
