/** What benches say of repeated measurements. */

export function quantile(ascending: ArrayLike<number>, ratio: number): number | undefined {
  return ascending[Math.min(ascending.length - 1, Math.floor(ratio * ascending.length))]
}

export const sumOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0)

export const meanOf = (values: readonly number[]): number => sumOf(values) / values.length

/** A mean and where it is with 95 % confidence; of fewer than two values the bounds are not known. */
export type Interval = {
  readonly mean: number
  readonly low: number | undefined
  readonly high: number | undefined
}

/** Student's t, two-sided 95 %, by degrees of freedom from 1; beyond, that of the normal is near. */
const students = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]

/**
 * By Student's t: few repeats, whose mean is nearly normal.
 *
 *   values          mean  low    high
 *   1 2 3 4 5       3     1.037  4.963
 *   10 10           10    10     10
 *   7               7     -      -
 */
export function intervalOf(values: readonly number[]): Interval {
  const mean = meanOf(values)
  const freedom = values.length - 1
  if (freedom < 1) return { mean, low: undefined, high: undefined }
  const variance = sumOf(values.map((value) => (value - mean) ** 2)) / freedom
  const half = (students[freedom - 1] ?? 2.1) * Math.sqrt(variance / values.length)
  return { mean, low: mean - half, high: mean + half }
}

/**
 * Jain's index of fairness: 1 when all have the same part, 1/n when one has all.
 *
 *   1 1 1 1   ->  1
 *   1 0.5     ->  0.9
 *   1 0 0 0   ->  0.25
 */
export function jainIndex(parts: readonly number[]): number {
  const squares = sumOf(parts.map((part) => part ** 2))
  return squares === 0 ? 1 : sumOf(parts) ** 2 / (parts.length * squares)
}

/** In which of the two figures one is better than the other. */
export const betterIn = (p99: boolean, quota: boolean): string =>
  p99 && quota ? 'both' : p99 ? 'p99' : quota ? 'quota' : 'neither'
