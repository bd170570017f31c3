/** Arms beside each other: means with intervals, pair by pair beside ours, and the verdicts. */
import { betterIn, type Interval, intervalOf, meanOf, quantile } from '../statistics.ts'
import type { Contestant } from './contest.ts'
import type { PassFigures } from './pass.ts'
import type { Disturbance } from './trace.ts'

/** Of a pass, in the order of the table. */
export const figureNames = [
  'p50',
  'p95',
  'p99',
  'throttledRatio',
  'promisedCores',
  'allowedCores',
  'usedCores',
  'changesPerMinute',
  'jain',
] as const
type Figures = Readonly<Record<(typeof figureNames)[number], Interval>>

export type ArmSummary = {
  readonly name: string
  readonly isOurs: boolean
  /** Of the repeats. */
  readonly means: Figures
  /** This arm less ours, repeat by repeat; undefined without ours, or of itself. */
  readonly lessOurs: Figures | undefined
  /** Of all requests of all repeats, in milliseconds. */
  readonly pooledP99: number
  /** Median of the steps; infinite when at least half never got there. */
  readonly stepSeconds: number
  readonly disturbance: Disturbance
}

export function summarise(contestants: readonly Contestant[], oursName: string): ArmSummary[] {
  const ours = contestants.find(({ arm }) => arm.name === oursName)
  return contestants.map((contestant) => {
    const { arm, passes, stepSeconds } = contestant
    const pooled = passes.flatMap(({ latencies }) => latencies).toSorted((a, b) => a - b)
    const steps = stepSeconds.toSorted((a, b) => a - b)
    return {
      name: arm.name,
      isOurs: arm.isOurs,
      means: over((name) => passes.map((pass) => pass[name])),
      lessOurs: ours === undefined || ours === contestant ? undefined : differences(passes, ours),
      pooledP99: quantile(pooled, 0.99) ?? NaN,
      stepSeconds: quantile(steps, 0.5) ?? NaN,
      disturbance: {
        stealRatio: meanOf(passes.map(({ disturbance }) => disturbance.stealRatio)),
        othersRatio: meanOf(passes.map(({ disturbance }) => disturbance.othersRatio)),
      },
    }
  })
}

const over = (values: (name: (typeof figureNames)[number]) => readonly number[]): Figures =>
  Object.fromEntries(figureNames.map((name) => [name, intervalOf(values(name))])) as Figures

const differences = (passes: readonly PassFigures[], ours: Contestant): Figures =>
  over((name) => passes.map((pass, repeat) => pass[name] - (ours.passes[repeat]?.[name] ?? NaN)))

/** One of ours beside a rival: ratios below 1 are better. */
export type Verdict = {
  readonly ours: string
  readonly rival: string
  readonly p99Ratio: number
  readonly quotaRatio: number
  readonly betterIn: string
}

export function judge(summaries: readonly ArmSummary[]): Verdict[] {
  const rivals = summaries.filter(({ isOurs }) => !isOurs)
  return summaries
    .filter(({ isOurs }) => isOurs)
    .flatMap((ours) =>
      rivals.map((rival) => {
        const p99Ratio = ours.pooledP99 / rival.pooledP99
        const quotaRatio = ours.means.allowedCores.mean / rival.means.allowedCores.mean
        return {
          ours: ours.name,
          rival: rival.name,
          p99Ratio,
          quotaRatio,
          betterIn: betterIn(p99Ratio < 1, quotaRatio < 1),
        }
      }),
    )
}
