/** Load profiles over time as multiples of a unit of demand, and what the law makes of them. */
import { seededRandom } from '../../src/core/random.ts'
import { median } from './estimator-table.ts'
import { createQueuePlant, type Plant } from './queue-plant.ts'
import { runLaw, toMicros } from './run-law.ts'

const HIGHEST = 5
/** Every half profile of the step lasts so long. */
const STEP_SECONDS = 20

export const profiles: Readonly<Record<string, (seconds: number) => number>> = {
  steady: () => 1,
  step: (at) => (isHigh(at) ? 3 : 1),
  bursty: (at) => (at % 2 < 0.35 ? 4 : 0.5),
  spiky: (at) => ((Math.floor(at / 0.3) * 37) % 14 === 0 ? HIGHEST : 0.8),
  ramp: (at) => 0.5 + (2 * (at % 40)) / 40,
  onOff: (at) => (at % 10 < 5 ? 2 : 0),
  diurnal: (at) => 1 + 0.8 * Math.sin((at / 40) * 2 * Math.PI),
}

const isHigh = (at: number): boolean => at % (2 * STEP_SECONDS) >= STEP_SECONDS

export type ProfileCase = {
  readonly profile: string
  readonly samplingSeconds: number
  readonly threads: number
}

export type ProfileRow = ProfileCase & {
  /** Average quota over what was used. */
  readonly quotaRatio: number
  readonly throttledRatio: number
  readonly changesPerMinute: number
  /** From each x3 step to a quota of at least the new demand. */
  readonly stepSeconds: readonly number[]
}

const CPUS = 2
const CPU_MICROS = 1000
const WARM_UP_SECONDS = 8
const CORES_PER_THREAD = 0.07

export function measureProfile(of: ProfileCase, seeds: number): ProfileRow {
  const sums = { quota: 0, used: 0, periods: 0, throttled: 0, changes: 0, seconds: 0 }
  const stepSeconds: number[] = []
  for (let seed = 1; seed <= seeds; seed += 1) runOnce({ of, seed, sums, stepSeconds })
  return {
    ...of,
    quotaRatio: sums.quota / sums.used,
    throttledRatio: sums.throttled / sums.periods,
    changesPerMinute: (60 * sums.changes) / sums.seconds,
    stepSeconds,
  }
}

type Once = {
  readonly of: ProfileCase
  readonly seed: number
  /** Added to. */
  readonly sums: Record<'quota' | 'used' | 'periods' | 'throttled' | 'changes' | 'seconds', number>
  readonly stepSeconds: number[]
}

function runOnce({ of, seed, sums, stepSeconds }: Once): void {
  const unit = CORES_PER_THREAD * of.threads
  // So that no sample falls on a step, as in life.
  const offset = seed * 0.37
  let isWaiting = false
  runLaw({
    plant: plantOf(of, { unit, offset, seed }),
    cpus: CPUS,
    samplingSeconds: of.samplingSeconds,
    forSeconds: 128,
    each({ atSeconds, law, tracked, quotaCores }) {
      if (atSeconds < WARM_UP_SECONDS || tracked.rates === undefined) return
      const { seconds, usageCores, periods, throttledPeriods } = tracked.rates
      sums.seconds += seconds
      sums.quota += quotaCores * seconds
      sums.used += usageCores * seconds
      sums.periods += periods
      sums.throttled += throttledPeriods
      if (toMicros(law.quotaCores) !== toMicros(quotaCores)) sums.changes += 1
      if (of.profile !== 'step') return
      const at = atSeconds + offset
      if (!isHigh(at)) isWaiting = true
      else if (isWaiting && law.quotaCores >= 3 * unit) {
        stepSeconds.push(at % STEP_SECONDS)
        isWaiting = false
      }
    },
  })
}

type Start = { readonly unit: number; readonly offset: number; readonly seed: number }

function plantOf({ profile, threads }: ProfileCase, { unit, offset, seed }: Start): Plant {
  const shape = profiles[profile]
  if (shape === undefined) throw new RangeError(`finding profile ${profile}: there is none`)
  const rate = (unit * 1e6) / CPU_MICROS
  const arrivals = {
    ratePerSecond: (at: number) => shape(at + offset) * rate,
    highestRate: HIGHEST * rate,
  }
  const quotaMicros = toMicros(2 * unit)
  return createQueuePlant(
    { threads, cpuMicros: CPU_MICROS, arrivals },
    { cpus: CPUS, random: seededRandom(seed), limit: { quotaMicros, burstMicros: quotaMicros } },
  )
}

export function describeProfiles(rows: readonly ProfileRow[]): string {
  const lines = rows.map(({ stepSeconds: steps, ...row }) => [
    row.profile,
    `${row.samplingSeconds * 1000} ms`,
    `${row.threads}`,
    row.quotaRatio.toFixed(2),
    row.throttledRatio.toFixed(3),
    row.changesPerMinute.toFixed(0),
    steps.length === 0
      ? ''
      : `${median(steps).toFixed(2)} (worst ${Math.max(...steps).toFixed(2)})`,
  ])
  const titles = [
    'profile',
    'sampling',
    'threads',
    'quota/use',
    'throttled',
    'changes/min',
    'x3 step s',
  ]
  return [titles, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
