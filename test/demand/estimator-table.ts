/**
 * How well the estimate of demand follows the truth after a quota that was too small is lifted: the
 * same rows for simulated groups, in tests, and for real ones, in the bench.
 *
 * The truth has its own chance: over a second, 200 exponential requests of 1 ms differ by 10 % (one
 * standard deviation) from their mean, so the errors of one thread (0.2 core) are twice those of four.
 */
import { table } from '../../src/apps/cli/show.ts'
import { seededRandom } from '../../src/core/random.ts'
import { createQueuePlant, type QueueLoad } from './queue-plant.ts'
import {
  FROZEN_SECONDS,
  type Released,
  RELEASED_SECONDS,
  startRelease,
  TOLD_AFTER,
} from './release.ts'

export type EstimatorCase = {
  readonly loop: 'open' | 'closed'
  /** The mean CPU time of a request. */
  readonly cpuMillis: number
  readonly samplingSeconds: number
  readonly threads: number
  /** Quota while frozen, as a part of demand. */
  readonly frozenRatio: number
}

/** Of one case, or of several together: what they differ in is left out. */
type RowName = Pick<EstimatorCase, 'loop' | 'cpuMillis' | 'samplingSeconds'> &
  Partial<Pick<EstimatorCase, 'threads' | 'frozenRatio'>>

export type EstimatorRow = RowName & {
  /** |estimate / demand - 1|, so many seconds after the release. */
  readonly errors: readonly (Spread & { readonly afterSeconds: number })[]
  /** The longest time below 0.9 of demand after the release, and below all of it. */
  readonly below: Spread
  readonly belowAll: Spread
  /** The highest estimate over demand after the release. */
  readonly overshoot: Spread
  /** What chance alone explains of the last error. */
  readonly chance: Spread
}

type Spread = { readonly median: number; readonly worst: number }

const CORES_PER_THREAD = 0.2
const CPUS = 4
const CLIENTS = 4

type Load = Pick<EstimatorCase, 'loop' | 'cpuMillis'>

export const casesOf = (loads: readonly Load[]): EstimatorCase[] =>
  loads.flatMap(({ loop, cpuMillis }) =>
    [0.1, 0.25, 1].flatMap((samplingSeconds) =>
      [1, 2, 4].flatMap((threads) =>
        [0.3, 0.5, 0.8, 1.2].map((frozenRatio) => ({
          loop,
          cpuMillis,
          samplingSeconds,
          threads,
          frozenRatio,
        })),
      ),
    ),
  )

/** Of simulated groups. */
export const estimatorCases: readonly EstimatorCase[] = casesOf([
  { loop: 'open', cpuMillis: 1 },
  { loop: 'closed', cpuMillis: 1 },
])

export function measureEstimator(of: EstimatorCase, seeds: number): EstimatorRow {
  const load = loadOf(of, of.threads * CORES_PER_THREAD)
  const knownCores = demandOf(load)
  const runs = Array.from({ length: seeds }, (_, seed) => {
    const plant = createQueuePlant(load, { cpus: CPUS, random: seededRandom(seed + 1) })
    const release = startRelease({ ...of, plant, cpus: CPUS, knownCores })
    const samples = Math.round((FROZEN_SECONDS + RELEASED_SECONDS) / of.samplingSeconds)
    for (let i = 0; i <= samples; i += 1) release.sample(i * of.samplingSeconds)
    return release.judge(() => knownCores)
  })
  return rowOf(of, runs)
}

/** A load that uses so many cores when nothing holds it back, or a little less in a closed loop. */
export function loadOf({ loop, threads, cpuMillis }: EstimatorCase, cores: number): QueueLoad {
  const cpuMicros = cpuMillis * 1000
  const rate = (cores * 1e6) / cpuMicros
  const thinkMicros = (CLIENTS * cpuMicros) / cores - cpuMicros
  const arrivals =
    loop === 'open'
      ? { ratePerSecond: () => rate, highestRate: rate }
      : { clients: CLIENTS, thinkMicros }
  return { threads, cpuMicros, arrivals }
}

/** What a load uses when nothing holds it back. */
export function demandOf(load: QueueLoad): number {
  const { arrivals, cpuMicros } = load
  if ('highestRate' in arrivals) return (arrivals.highestRate * cpuMicros) / 1e6
  const seconds = 200
  const { read } = createQueuePlant(load, { cpus: CPUS, random: seededRandom(0) })
  return read(seconds * 1e6).usageMicros / (seconds * 1e6)
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

export function rowOf(name: RowName, runs: readonly Released[]): EstimatorRow {
  const spread = (pick: (run: Released) => number): Spread => {
    const values = runs.map(pick)
    return { median: median(values), worst: Math.max(...values) }
  }
  return {
    ...name,
    errors: TOLD_AFTER.map((afterSeconds, i) => ({
      afterSeconds,
      ...spread(({ errors }) => errors[i] ?? NaN),
    })),
    below: spread(({ belowSeconds }) => belowSeconds),
    belowAll: spread(({ belowAllSeconds }) => belowAllSeconds),
    overshoot: spread(({ overshoot }) => overshoot),
    chance: spread(({ chance }) => chance),
  }
}

const right = (title: string) => ({ title, align: 'right' }) as const
const columns = [
  { title: 'LOAD AND THREADS', align: 'left' },
  ...['MS', 'QUOTA'].map(right),
  ...TOLD_AFTER.map((seconds) => right(`${seconds} S`)),
  ...['CHANCE', '<0.9', '<1', 'HIGHEST'].map(right),
] as const

/**
 * A line a row, median/worst: errors and chance in percent of the true demand, seconds below 0.9 of it
 * and below all of it, the highest estimate over it.
 */
export const describeEstimator = (rows: readonly EstimatorRow[]): string =>
  table(columns, rows.map(cellsOf)).join('\n')

const cellsOf = ({ threads, frozenRatio, ...row }: EstimatorRow): string[] => [
  `${row.loop} ${row.cpuMillis} ms ${threads === undefined ? '' : `x${threads}`}`.trimEnd(),
  `${row.samplingSeconds * 1000}`,
  frozenRatio === undefined ? 'all' : `${percent(frozenRatio)} %`,
  ...row.errors.map((error) => both(error, percent)),
  both(row.chance, percent),
  both(row.below, tenths),
  both(row.belowAll, tenths),
  both(row.overshoot, tenths),
]

const both = ({ median, worst }: Spread, show: (value: number) => string): string =>
  `${show(median)}/${show(worst)}`

const tenths = (value: number): string => value.toFixed(1)
const percent = (ratio: number): string => `${Math.round(ratio * 100)}`
