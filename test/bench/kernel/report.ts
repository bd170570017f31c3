/** The tables of the bench, at most 100 columns wide. */
import { table, wrap } from '../../../src/apps/cli/show.ts'
import type { Interval } from '../statistics.ts'
import type { Plan } from './contest.ts'
import { besideHog, eachOther } from './frozen.ts'
import type { GroupSummary } from './summary.ts'
import type { Verdict } from './verdict.ts'

const columnsOf = (left: readonly string[], right: readonly string[]) => [
  ...left.map((title) => ({ title, align: 'left' as const })),
  ...right.map((title) => ({ title, align: 'right' as const })),
]

const millis = (value: number | undefined): string =>
  value === undefined ? '-' : value.toFixed(value < 10 ? 1 : 0)
const percent = (ratio: number | undefined): string =>
  ratio === undefined ? '-' : `${(ratio * 100).toFixed(0)} %`

export const report = (summaries: readonly GroupSummary[]): string[] =>
  [...new Set(summaries.map(({ scene }) => scene))].flatMap((scene) =>
    reportScene(
      scene,
      summaries.filter((one) => one.scene === scene),
    ),
  )

const reportScene = (scene: string, rows: readonly GroupSummary[]): string[] => [
  `${scene}: medians of the repeats`,
  '',
  ...table(figureColumns, rows.map(rowOf)),
  '',
]

const figureColumns = columnsOf(
  ['GROUP', 'ARM'],
  ['P50', 'P99', 'WORST', 'CONTENDED', 'GIVEN UP', 'USED'],
)

const rowOf = (row: GroupSummary): string[] => [
  row.group,
  row.arm,
  millis(row.p50),
  millis(row.p99),
  millis(row.p99s.length === 0 ? undefined : Math.max(...row.p99s)),
  millis(row.contendedP99),
  percent(row.givenUpRatio),
  row.usedCores.toFixed(2),
]

export const reportVerdicts = (verdicts: readonly Verdict[]): string[] =>
  verdicts.length === 0
    ? []
    : [
        'MBCAS and its bars',
        '',
        ...table(
          columnsOf(['SCENE', 'GROUP', 'FIGURE'], ['VALUE', 'BAR', 'MET']),
          verdicts.map(({ scene, group, figure, value, bar, isMet }) => [
            scene,
            group,
            figure,
            showInterval(value),
            bar,
            isMet ? 'yes' : 'no',
          ]),
        ),
        '',
      ]

const showInterval = ({ mean, low, high }: Interval): string =>
  low === undefined || high === undefined
    ? mean.toFixed(2)
    : `${mean.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`

/** What the figures mean, for who reads only these tables. */
export function notesOf({ repeats, seed, lengths }: Plan): string[] {
  const { service, hog } = besideHog
  const notes = [
    `${repeats} repeats from seed ${seed}; each arm gets the same requests. Latency in ms from the intended arrival; used in cores. Ratios of p99 are ours over the rival's, repeat by repeat: the geometric mean and its 95 % interval; of the hog, the median and the range.`,
    `beside-hog: ${service.perSecond} requests per second of ${service.meanMicros / 1000} ms CPU (exponential) on ${service.workers} processes, request ${service.requestMillicores}m, for ${lengths.hogSeconds} s after ${lengths.warmSeconds} s of warm-up, beside ${hog.threads} busy threads, request ${hog.requestMillicores}m. What is left: the machine less the service, the load generator, its host and others.`,
    `each-other: gateway (4 ms CPU), worker A (30 ms), worker B (10 ms, one in five 30 ms), noise (40 ms), one process each, in ${lengths.phasesSeconds} s. Phases as in the seeds, 2:5:5:3: warm-up at 13 % of the machine, saturation at 65 %, contention at ${eachOther.peakRatio * 100} %, bursts from 26 to 130 % of each service at its own times. P99 is of saturation and bursts, contended that of contention, whose requests are given up at its end if they have not begun, and count up to then: there one service lacks what another has, so no bar is set for it. Requests: ${eachOther.requestedRatio * 100} % of the machine, each service its part of the demand.`,
    'All arms know the requests alone, by hand and cpu.idle also who gives way: in each-other they take from a service that is within its request, so that they are no measure there. Shares are by request, by hand 100 : 1. static: quota = request; static-burst: the same with a period of 1 s and burst = quota. CPU burst by Koordinator and Captain start with a quota of the request, in the usual period of 100 ms. All promise the requests. MBCAS is the program itself in its own process; the laws of others run in the process of the bench.',
  ]
  return notes.flatMap((note) => wrap(note, 100, 0))
}
