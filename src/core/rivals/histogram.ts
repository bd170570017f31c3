/**
 * VPA's decaying histogram of CPU use: percentiles of all samples, of which older ones count less.
 *
 * Method: buckets that grow by 5 % from 0.01 core to 1000, bucket n from 0.01 (1.05^n - 1) / 0.05. A
 * sample at t adds 2^((t - reference) / half-life), so that nothing is touched as time passes; the
 * reference moves on before the powers overflow. A percentile is the end of the bucket in which it
 * lies: up to 5 % too much, never too little. O(buckets) for a sample and for a percentile.
 *
 * Reference: kubernetes/autoscaler, vertical-pod-autoscaler 1.7.1 (shared facts, CPU, part 1).
 *
 *   samples                          p50     p90     p95
 *   100 x 0.30                       0.3055  0.3055  0.3055
 *   95 x 0.30, 5 x 0.90 at once      0.3055  0.3055  0.3055
 *   50 x 0.30, 50 x 0.90 a day on    0.9037  0.9037  0.9037
 */
import type { Millis } from '../units.ts'

const FIRST_CORES = 0.01
const RATIO = 1.05
const MOST_CORES = 1000
const HALF_LIFE = 24 * 3600 * 1000
/** Constant since VPA 1.4.0; before, it grew with the request. */
const SAMPLE_WEIGHT = 0.1
/** A bucket that holds less counts as empty. */
const EPSILON = 1e-4
/** Half-lives by which a sample may be younger than the reference. */
const MOST_HALF_LIVES = 100

export const bucketCount =
  Math.ceil(Math.log((MOST_CORES * (RATIO - 1)) / FIRST_CORES + 1) / Math.log(RATIO)) + 1

export type Histogram = {
  readonly weights: readonly number[]
  readonly total: number
  /** At which a sample weighs its own weight. */
  readonly reference: Millis | undefined
}

export const emptyHistogram: Histogram = {
  weights: Array.from({ length: bucketCount }, () => 0),
  total: 0,
  reference: undefined,
}

export type UsageSample = { readonly at: Millis; readonly cores: number }

export function addUsage(histogram: Histogram, { at, cores }: UsageSample): Histogram {
  const { weights, total, reference } = shiftReference(histogram, at)
  const weight = SAMPLE_WEIGHT * 2 ** ((at - reference) / HALF_LIFE)
  const bucket = bucketOf(cores)
  return {
    weights: weights.with(bucket, (weights[bucket] ?? 0) + weight),
    total: total + weight,
    reference,
  }
}

/** 0 when there are no samples. */
export function percentile({ weights, total }: Histogram, ratio: number): number {
  const last = weights.findLastIndex((weight) => weight >= EPSILON)
  if (last < 0) return 0
  let sum = 0
  let bucket = 0
  for (; bucket < last; bucket++) {
    sum += weights[bucket] ?? 0
    if (sum >= ratio * total) break
  }
  return startOf(bucket < bucketCount - 1 ? bucket + 1 : bucket)
}

const startOf = (bucket: number): number => (FIRST_CORES * (RATIO ** bucket - 1)) / (RATIO - 1)

function bucketOf(cores: number): number {
  if (cores < FIRST_CORES) return 0
  const bucket = Math.floor(Math.log((cores * (RATIO - 1)) / FIRST_CORES + 1) / Math.log(RATIO))
  return Math.min(bucket, bucketCount - 1)
}

function shiftReference(
  histogram: Histogram,
  at: Millis,
): Histogram & { readonly reference: Millis } {
  const { weights, total, reference = at } = histogram
  const age = (at - reference) / HALF_LIFE
  if (age <= MOST_HALF_LIVES) return { weights, total, reference }
  const factor = 2 ** -age
  return {
    weights: weights.map((weight) => weight * factor),
    total: total * factor,
    reference: at,
  }
}
