/** A quota held for 6 s at a part of a known demand, then lifted, and how the estimate follows. */
import { track, type Tracked } from '../../src/core/demand/tracker.ts'
import type { Plant } from './queue-plant.ts'

export const FROZEN_SECONDS = 6
/** So long after the release errors are told; the last ends what is judged. */
export const TOLD_AFTER = [1, 2, 3, 5] as const
const JUDGED_SECONDS = 5
/** Enough for a backlog to be served and for all that is judged after it. */
export const RELEASED_SECONDS = 3 + JUDGED_SECONDS

export type Released = {
  /** |estimate / demand - 1|, so many seconds after the release: `TOLD_AFTER`. */
  readonly errors: readonly number[]
  readonly belowSeconds: number
  readonly belowAllSeconds: number
  readonly overshoot: number
  /** The error of who knows exactly what came in the last three of the seconds that are judged. */
  readonly chance: number
}

/** The mean of what came between two moments, in cores. */
export type Truth = (fromSeconds: number, toSeconds: number) => number

export type Release = {
  /** At every sampling interval from 0 on. */
  readonly sample: (atSeconds: number) => void
  /** Against what came in the seconds after the release. */
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

const toMicros = (cores: number): number => Math.max(1000, Math.round(cores * 100_000))

/** Holds the quota; the first sample from `FROZEN_SECONDS` on lifts it to all CPUs. */
export function startRelease(group: Group): Release {
  const { plant, cpus, knownCores, frozenRatio } = group
  const frozenMicros = toMicros(knownCores * frozenRatio)
  const told: Told[] = []
  let releasedAt = Infinity
  let tracked: Tracked | undefined
  plant.set(frozenMicros, frozenMicros)
  const sample = (atSeconds: number): void => {
    tracked = track(tracked, plant.read(Math.round(atSeconds * 1e6)), { cpus })
    if (atSeconds < FROZEN_SECONDS || tracked.level === undefined) return
    if (releasedAt === Infinity) {
      releasedAt = atSeconds
      plant.set(toMicros(cpus), toMicros(cpus))
    }
    told.push({ at: atSeconds, cores: tracked.level.estimate })
  }
  return { sample, judge: (truth) => judge(told, { ...group, truth, from: releasedAt }) }
}

type Told = { readonly at: number; readonly cores: number }
type Judged = Group & { readonly truth: Truth; readonly from: number }

function judge(told: readonly Told[], { truth, from, samplingSeconds }: Judged): Released {
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
    chance: Math.abs(truth(from + JUDGED_SECONDS - 3, from + JUDGED_SECONDS) / demand - 1),
  }
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
