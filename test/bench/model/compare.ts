/** How far the model is from what was measured, as ratios of the measured. */
import { predict } from './predict.ts'
import type { Grown, Measured } from './setting.ts'

export type Comparison = {
  readonly name: string
  readonly real: Grown
  readonly model: Grown
  readonly usageError: number
  readonly throttledError: number
  /** The largest difference of the shares of requests answered within a bucket. */
  readonly latencyError: number | undefined
}

export type Summary = { readonly worst: number; readonly mean: number }

/** A row a group. */
export function compare(measured: Measured): Comparison[] {
  const { setting, groups, fromMicros, toMicros } = measured
  const predicted = predict(measured)
  return groups.flatMap((real, i) => {
    const model = predicted[i]
    if (model === undefined) return []
    // Of next to nothing a ratio says little: a hundredth of the time is the least it is taken of.
    const least = (toMicros - fromMicros) / 100
    const errorOf = (name: 'usageMicros' | 'throttledMicros') =>
      (model[name] - real[name]) / Math.max(real[name], least)
    return {
      name: groups.length === 1 ? setting.name : `${setting.name}: ${'AB'[i]}`,
      real,
      model,
      usageError: errorOf('usageMicros'),
      throttledError: errorOf('throttledMicros'),
      latencyError: distance(real.latency, model.latency),
    }
  })
}

export function summarise(errors: readonly number[]): Summary {
  const sizes = errors.map(Math.abs)
  return {
    worst: Math.max(...sizes),
    mean: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
  }
}

function distance(
  real: readonly number[] | undefined,
  model: readonly number[] | undefined,
): number | undefined {
  if (real === undefined || model === undefined) return undefined
  const shares = (counts: readonly number[]) => counts.map((count) => count / (counts.at(-1) ?? 1))
  const modelShares = shares(model)
  return Math.max(...shares(real).map((share, i) => Math.abs(share - (modelShares[i] ?? NaN))))
}
