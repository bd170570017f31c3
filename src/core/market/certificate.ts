/**
 * How far a solution is from optimal, by the conditions of Karush, Kuhn and Tucker; all 0 up to
 * rounding. Each figure is relative, so that 1e-12 means the same for 10 millicores and for a
 * petabyte.
 */
import { exactSum } from '../sum.ts'
import type { Vessels } from './water-level.ts'

export type Certificate = {
  /** Bounds and capacity: the largest violation, as a part of capacity. */
  readonly primal: number
  /** All that are not capped stand at the same level; none that is capped stands above it. */
  readonly dual: number
  /** A bid is short of its need only at the common level; capacity is left only at price 0. */
  readonly complementarity: number
}

export const perfect: Certificate = { primal: 0, dual: 0, complementarity: 0 }

/** `shares` are what each has above its base, and `level` the common level that they claim. */
export function certify(
  { count, amount, slopes, caps }: Vessels,
  at: { readonly capacity: number; readonly level: number; readonly shares: Float64Array },
): Certificate {
  const { shares, level } = at
  const scale = Math.max(1, at.capacity)
  let primal = Math.abs(exactSum(shares, count) - amount) / scale
  let dual = 0
  let complementarity = 0
  for (let i = 0; i < count; i++) {
    const cap = caps[i]!
    if (cap === 0 || level === 0) continue
    const share = shares[i]!
    if (share > cap || share < 0) primal = Math.max(primal, (share - cap) / scale, -share / scale)
    const reached = share / (slopes[i]! * level)
    if (reached > 1) dual = Math.max(dual, reached - 1)
    else if (reached < 1 && share < cap) {
      complementarity = Math.max(complementarity, (1 / reached - 1) * (1 - share / cap))
    }
  }
  return { primal, dual, complementarity }
}
