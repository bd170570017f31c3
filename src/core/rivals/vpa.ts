/**
 * The Vertical Pod Autoscaler's law: the request follows percentiles of use over days.
 *
 * Objective: a request that covers 90 % of the (decayed) past with 15 % to spare. Throttling is no
 * input at all. Method: a sample a minute into the histogram; target p90, lower bound p50, upper
 * bound p95, each x 1.15; the bounds widen while little is known. The updater acts when the request
 * is outside the bounds, or after 12 hours when it is off by a tenth. Limits keep their ratio to
 * requests, here 1. O(176) a sample.
 *
 * Reference: kubernetes/autoscaler, vertical-pod-autoscaler 1.7.1, recommender and updater (shared
 * facts, CPU, part 1). Left out: memory, OOM, checkpoints, eviction.
 *
 *   history                     lower   target  upper
 *   8 days of 0.30 core         0.351   0.351   0.395
 *   1 day of 0.30 core          0.350   0.351   0.703
 *   and then 0.90 core          moves after 23.9 h / 14.1 h, target after 3.63 h / 1.88 h
 */
import { type Millicores, type Millis, millis } from '../units.ts'
import {
  addUsage,
  emptyHistogram,
  type Histogram,
  percentile,
  type UsageSample,
} from './histogram.ts'
import { type Law, showCores, toMillicores } from './law.ts'

const DAY = 24 * 3600 * 1000
const MINUTES_A_DAY = 1440
const MARGIN = 1.15
const POD_MINIMUM_CORES = 0.025
/** A pod older than this is moved by a small difference as well. */
const SETTLED = 12 * 3600 * 1000
const SMALL_DIFFERENCE = 0.1

export type History = {
  readonly histogram: Histogram
  readonly samples: number
  readonly first: Millis | undefined
  readonly last: Millis | undefined
}

export const noHistory: History = {
  histogram: emptyHistogram,
  samples: 0,
  first: undefined,
  last: undefined,
}

export function remember(history: History, sample: UsageSample): History {
  return {
    histogram: addUsage(history.histogram, sample),
    samples: history.samples + 1,
    first: history.first ?? sample.at,
    last: sample.at,
  }
}

/** Cores; the upper bound is infinite while nothing is known. */
export type Recommendation = {
  readonly lower: number
  readonly target: number
  readonly upper: number
}

/** The minimum of a pod is shared by its containers. */
export function recommend(history: History, containers = 1): Recommendation {
  const { histogram, samples, first = 0, last = 0 } = history
  const confidence = Math.min((last - first) / DAY, samples / MINUTES_A_DAY)
  const estimate = (ratio: number, multiplier: number): number =>
    Math.max(POD_MINIMUM_CORES / containers, percentile(histogram, ratio) * MARGIN * multiplier)
  return {
    lower: estimate(0.5, (1 + 0.001 / confidence) ** -2),
    target: estimate(0.9, 1),
    upper: samples === 0 ? Infinity : estimate(0.95, 1 + 1 / confidence),
  }
}

export type VpaState = {
  readonly history: History
  readonly request: Millicores
  readonly since: Millis
}

/** With what was seen before this container started. */
export const vpa = (history: History = noHistory): Law<VpaState> => ({
  name: 'VPA',
  every: millis(60_000),
  burstRatio: 0,
  start: (request, since) => ({ history, request, since }),
  decide(state, { at, usageCores }) {
    const history = remember(state.history, { at, cores: usageCores })
    const recommendation = recommend(history)
    const why = whyMove({ ...recommendation, request: state.request / 1000, age: at - state.since })
    const request = why === undefined ? state.request : toMillicores(recommendation.target)
    const reason =
      why ?? `the request is within its bounds, target ${showCores(recommendation.target)}`
    return { state: { ...state, history, request }, quota: request, request, reason }
  },
})

type Standing = Recommendation & { readonly request: number; readonly age: number }

function whyMove({ lower, target, upper, request, age }: Standing): string | undefined {
  if (request < lower) return `the request is below the lower bound of ${showCores(lower)}`
  if (request > upper) return `the request is above the upper bound of ${showCores(upper)}`
  if (age <= SETTLED || Math.abs(target - request) / request < SMALL_DIFFERENCE) return undefined
  return `the pod is older than 12 h and the request is off the target of ${showCores(target)}`
}
