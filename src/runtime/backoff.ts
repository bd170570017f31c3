import type { Random } from '../core/random.ts'

/** In milliseconds. */
export type BackoffLimits = { readonly first: number; readonly longest: number }

/**
 * How long to wait after so many failures in a row: `first` doubled each time, up to `longest`.
 *
 *   { first: 5, longest: 1_000_000 }   1 -> 5    2 -> 10    10 -> 2560    19 and on -> 1_000_000
 */
export const backoffAfter = ({ first, longest }: BackoffLimits, failures: number): number =>
  Math.min(longest, first * 2 ** (failures - 1))

/** Between `duration` and `duration * factor`, so that many do not act at one moment. */
export const jittered = (duration: number, factor: number, random: Random): number =>
  duration * (1 + (factor - 1) * random())
