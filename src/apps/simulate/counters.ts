/** What came of a container so far, and of several from one moment to another. */
import { totalOf } from '../../core/comparison/latency-histogram.ts'
import type { PodWindow } from '../../core/comparison/pod-window.ts'
import type { ContainerPlace } from '../../ports/cgroup.ts'
import type { StageNode } from './stage.ts'

type Figures = Pick<
  PodWindow,
  'periods' | 'throttledPeriods' | 'usedMicros' | 'demandedMicros' | 'refused' | 'late'
>

/** Copied: what they were read from goes on counting. */
export type Counters = Figures & { readonly answers: Float64Array | undefined }

const figures = [
  'periods',
  'throttledPeriods',
  'usedMicros',
  'demandedMicros',
  'refused',
  'late',
] as const satisfies readonly (keyof Figures)[]

/** Undefined if the container is gone. */
export function countersOf(place: ContainerPlace, node: StageNode): Counters | undefined {
  const reading = node.cgroups.read(place)
  const outcome = node.outcome(place)
  if (reading === undefined || outcome === undefined) return undefined
  const { demandedMicros, refused, late, answers } = outcome
  return {
    periods: reading.periods,
    throttledPeriods: reading.throttledPeriods,
    usedMicros: reading.usageMicros,
    demandedMicros,
    refused,
    late,
    answers: answers && Float64Array.from(answers),
  }
}

/** From `before`, or from the container's start, to `now`. */
export const growthOf = (before: Counters | undefined, now: Counters): Counters =>
  before === undefined ? now : combine(now, before, (a, b) => a - b)

export const sumOf = (grown: readonly Counters[]): Counters =>
  grown.reduce((sum, one) => combine(sum, one, (a, b) => a + b), nothing)

const nothing: Counters = {
  periods: 0,
  throttledPeriods: 0,
  usedMicros: 0,
  demandedMicros: 0,
  refused: 0,
  late: 0,
  answers: undefined,
}

/** A load that answers nothing any more, or did not yet, counts as 0. */
function combine(a: Counters, b: Counters, join: (a: number, b: number) => number): Counters {
  const joined = Object.fromEntries(figures.map((figure) => [figure, join(a[figure], b[figure])]))
  const size = Math.max(a.answers?.length ?? 0, b.answers?.length ?? 0)
  const answers = Float64Array.from({ length: size }, (_, i) =>
    join(a.answers?.[i] ?? 0, b.answers?.[i] ?? 0),
  )
  return { ...(joined as Figures), answers: totalOf(answers) === 0 ? undefined : answers }
}
