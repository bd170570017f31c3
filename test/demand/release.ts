/** A quota frozen for 6 s at a part of a known demand, then released to the law, and how that went. */
import type { Plant } from './queue-plant.ts'
import { startControl, toMicros } from './run-law.ts'

export const FROZEN_SECONDS = 6
/** So long after the quota suffices errors are told; the last ends what is judged. */
export const TOLD_AFTER = [1, 2, 3, 5] as const
const JUDGED_SECONDS = 5
/** Enough for the quota to suffice and for all that is judged after it. */
export const RELEASED_SECONDS = 3 + JUDGED_SECONDS

export type Released = {
  /** |estimate / demand - 1|, so many seconds after the quota sufficed: `TOLD_AFTER`. */
  readonly errors: readonly number[]
  readonly belowSeconds: number
  readonly belowAllSeconds: number
  readonly overshoot: number
  readonly sufficientSeconds: number
  /** The error of who knows exactly what came in the last three of the seconds that are judged. */
  readonly chance: number
}

/** The mean of what came between two moments, in cores. */
export type Truth = (fromSeconds: number, toSeconds: number) => number

export type Release = {
  /** At every sampling interval from 0 on. */
  readonly sample: (atSeconds: number) => void
  /** Against what came in the seconds after the quota sufficed for the known demand. */
  readonly judge: (truth: Truth) => Released
}

type Group = {
  readonly plant: Plant
  readonly cpus: number
  /** Of demand. */
  readonly knownCores: number
  /** Quota while frozen, as a part of it. */
  readonly frozenRatio: number
  readonly samplingSeconds: number
}

/** Freezes the quota; the samples from `FROZEN_SECONDS` on release it. */
export function startRelease(group: Group): Release {
  const { plant, cpus, knownCores, frozenRatio, samplingSeconds } = group
  const frozenMicros = toMicros(knownCores * frozenRatio)
  const told: { readonly at: number; readonly cores: number }[] = []
  let sufficientAt: number | undefined
  plant.set(frozenMicros, frozenMicros)
  const sample = startControl({
    plant,
    cpus,
    grant: ({ atSeconds, law }) => (atSeconds < FROZEN_SECONDS ? undefined : law.quotaCores),
    each({ atSeconds, law }) {
      if (atSeconds < FROZEN_SECONDS) return
      if (law.quotaCores >= knownCores) sufficientAt ??= atSeconds
      told.push({ at: atSeconds, cores: law.estimateCores })
    },
  })
  const judge = (truth: Truth): Released => {
    const from = sufficientAt ?? Infinity
    const demand = truth(from, from + JUDGED_SECONDS)
    const judged = told.filter(({ at }) => at < from + JUDGED_SECONDS + samplingSeconds / 2)
    const ratios = judged.map(({ cores }) => cores / demand)
    const errors = TOLD_AFTER.map((after) => {
      // A machine that is busy may sample late.
      const then = told.find(({ at }) => at >= from + after - samplingSeconds / 2) ?? told.at(-1)
      return Math.abs((then?.cores ?? NaN) / demand - 1)
    })
    return {
      errors,
      belowSeconds: longestBelow(ratios, 0.9) * samplingSeconds,
      belowAllSeconds: longestBelow(ratios, 1) * samplingSeconds,
      overshoot: Math.max(...ratios),
      sufficientSeconds: from - FROZEN_SECONDS,
      chance: Math.abs(truth(from + JUDGED_SECONDS - 3, from + JUDGED_SECONDS) / demand - 1),
    }
  }
  return { sample, judge }
}

function longestBelow(ratios: readonly number[], bound: number): number {
  let longest = 0
  let run = 0
  for (const ratio of ratios) {
    run = ratio < bound ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
