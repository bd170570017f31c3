/** What the repeats say of each group under each arm, and how ours compares, pair by pair. */
import { medianOf } from '../programs/summary.ts'
import { type Interval, intervalOf } from '../statistics.ts'
import type { Repeated } from './contest.ts'
import type { GroupFigures } from './pass.ts'

export type GroupSummary = {
  readonly scene: string
  readonly arm: string
  readonly group: string
  /** Medians of the repeats. */
  readonly p50: number | undefined
  readonly p99: number | undefined
  readonly contendedP99: number | undefined
  readonly givenUpRatio: number | undefined
  readonly usedCores: number
  /** One per repeat, in the order of the repeats. */
  readonly p99s: readonly number[]
}

/** In the order of scenes as first run, groups as in their scenes, and arms as in `armNames`. */
export function summarise(
  passes: readonly Repeated[],
  armNames: readonly string[],
): GroupSummary[] {
  const scenes = [...new Set(passes.map(({ scene }) => scene))]
  return scenes.flatMap((scene) => {
    const within = passes.filter((pass) => pass.scene === scene)
    const names = [...new Set(within.flatMap(({ groups }) => groups.map(({ name }) => name)))]
    return names.flatMap((group) =>
      armNames.flatMap((arm) => summariseGroup(within, { scene, arm, group })),
    )
  })
}

type Key = { readonly scene: string; readonly arm: string; readonly group: string }

/** The group in each repeat of the arm, in the order of the repeats. */
const repeatsOf = (passes: readonly Repeated[], { scene, arm, group }: Key) =>
  passes
    .filter((pass) => pass.scene === scene && pass.arm === arm)
    .toSorted((a, b) => a.repeat - b.repeat)
    .flatMap(({ repeat, groups }) =>
      groups.filter(({ name }) => name === group).map((figures) => ({ repeat, figures })),
    )

function summariseGroup(passes: readonly Repeated[], key: Key): GroupSummary[] {
  const all = repeatsOf(passes, key).map(({ figures }) => figures)
  if (all.length === 0) return []
  const median = (pick: (figures: GroupFigures) => number | undefined): number | undefined => {
    const values = all.flatMap((figures) => pick(figures) ?? [])
    return values.length === 0 ? undefined : medianOf(values)
  }
  return [
    {
      ...key,
      p50: median(({ calm }) => calm?.p50),
      p99: median(({ calm }) => calm?.p99),
      contendedP99: median(({ contended }) => contended?.p99),
      givenUpRatio: median(({ contended }) => contended?.givenUpRatio),
      usedCores: median(({ usedCores }) => usedCores) ?? NaN,
      p99s: all.flatMap(({ calm }) => calm?.p99 ?? []),
    },
  ]
}

export type Pair = Omit<Key, 'arm'> & { readonly ours: string; readonly rival: string }

/**
 * Ours over the rival's p99 where there is CPU enough, repeat by repeat: the geometric mean with its 95 % interval, since
 * latencies differ by factors. Undefined where they have no repeat in common.
 */
export function p99Ratio(passes: readonly Repeated[], pair: Pair): Interval | undefined {
  const { scene, group, ours, rival } = pair
  const [own, theirs] = [ours, rival].map((arm) => repeatsOf(passes, { scene, arm, group }))
  const logs = (own ?? []).flatMap(({ repeat, figures }) => {
    const other = theirs?.find((one) => one.repeat === repeat)?.figures
    const [a, b] = [figures.calm?.p99, other?.calm?.p99]
    return a === undefined || b === undefined ? [] : Math.log(a / b)
  })
  if (logs.length === 0) return undefined
  const { mean, low, high } = intervalOf(logs)
  const [at, from, to] = [mean, low, high].map((log) => (log === undefined ? log : Math.exp(log)))
  return { mean: at ?? NaN, low: from, high: to }
}
