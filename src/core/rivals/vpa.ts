/**
 * The Vertical Pod Autoscaler's law: the request follows percentiles of use over days.
 *
 * Objective: a request that covers 90 % of the (decayed) past with 15 % to spare. Throttling is no
 * input at all. Method: a sample a minute into the histogram; target p90, lower bound p50, upper
 * bound p95, each x 1.15; the bounds widen while little is known. The updater acts when the request
 * is outside the bounds, or after 12 hours when it is off by a tenth. Amounts are whole millicores,
 * cut off after every step. Limits keep their ratio to requests, here 1. O(176) a sample.
 *
 * Reference: kubernetes/autoscaler, vertical-pod-autoscaler 1.8.1, recommender and updater, whose own
 * packages answer the same for test/oracles/vpa. Left out: memory, OOM, checkpoints, eviction.
 *
 *   history                     lower   target  upper
 *   8 days of 0.30 core         349m    350m    393m
 *   1 day of 0.30 core          349m    350m    700m
 *   and then 0.90 core          moves after 23.9 h / 14.1 h, target after 3.63 h / 1.88 h
 */
import { type Millicores, millicores, type Millis, millis } from '../units.ts'
import {
  addUsage,
  emptyHistogram,
  type Histogram,
  percentile,
  type UsageSample,
} from './histogram.ts'
import { type Law, toMillicores } from './law.ts'

const DAY = 24 * 3600 * 1000
const MINUTES_A_DAY = 1440
const MARGIN = 0.15
const POD_MINIMUM_MILLI = 25
/** The most that VPA's amounts hold: its upper bound while nothing is known. */
const MOST_MILLI = 1e14
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

/** Millicores, as VPA counts them. */
export type Recommendation = {
  readonly lower: Millicores
  readonly target: Millicores
  readonly upper: Millicores
}

/** The minimum of a pod is shared by its containers. */
export function recommend(history: History, containers = 1): Recommendation {
  const { histogram, samples, first = 0, last = 0 } = history
  const confidence = Math.min((last - first) / DAY, samples / MINUTES_A_DAY)
  const least = Math.floor(POD_MINIMUM_MILLI / containers)
  const estimate = (ratio: number, multiplier: number): Millicores => {
    const base = Math.floor(percentile(histogram, ratio) * 1000)
    const safe = base + Math.floor(base * MARGIN)
    return millicores(Math.max(least, Math.floor(Math.min(safe * multiplier, MOST_MILLI))))
  }
  return {
    lower: estimate(0.5, (1 + 0.001 / confidence) ** -2),
    target: estimate(0.9, 1),
    upper: samples === 0 ? millicores(MOST_MILLI) : estimate(0.95, 1 + 1 / confidence),
  }
}

type Standing = {
  readonly recommendation: Recommendation
  /** Undefined if the container has none. */
  readonly request: Millicores | undefined
  /** Of its pod, in milliseconds. */
  readonly age: number
}

/** Undefined if the updater leaves the pod as it is. */
export function whyUpdate({ recommendation, request, age }: Standing): string | undefined {
  const { lower, target, upper } = recommendation
  if (request === undefined) return 'there is no request'
  if (request < lower) return `the request is below the lower bound of ${lower}m`
  if (request > upper) return `the request is above the upper bound of ${upper}m`
  const difference = Math.abs(target - request) / Math.max(request, 1)
  if (age < SETTLED || difference < SMALL_DIFFERENCE) return undefined
  return `the pod is older than 12 h and the request is off the target of ${target}m`
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
    const history = remember(state.history, { at, cores: wholeMilli(usageCores) })
    const recommendation = recommend(history)
    const { target } = recommendation
    const why = whyUpdate({ recommendation, request: state.request, age: at - state.since })
    const request = why === undefined ? state.request : toMillicores(target / 1000)
    const reason = why ?? `the request is within its bounds, target ${target}m`
    return { state: { ...state, history, request }, quota: request, request, reason }
  },
})

/** As VPA reads a metric: millicores, rounded up. */
export const wholeMilli = (cores: number): number => Math.ceil(cores * 1000) / 1000
