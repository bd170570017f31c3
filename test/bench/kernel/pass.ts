/** The figures of one pass, from what it left behind. */
import { jainIndex, quantile, sumOf } from '../statistics.ts'
import type { GroupLoad } from './requests.ts'
import {
  isBelowCapacity,
  isCounted,
  type Phase,
  type PhaseName,
  phasesOf,
  type Service,
} from './scene.ts'
import { type Disturbance, type Stretch, stretchOf, type Trace } from './trace.ts'

export type Part = {
  readonly demandedCores: number
  readonly usedCores: number
  readonly allowedCores: number
  readonly throttledRatio: number
}

export type PassFigures = {
  /** Milliseconds from the intended arrival, ascending: where there is CPU enough, without noise. */
  readonly latencies: readonly number[]
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly throttledRatio: number
  /** Cores, all groups together. */
  readonly promisedCores: number
  readonly allowedCores: number
  readonly usedCores: number
  /** Of a group. */
  readonly changesPerMinute: number
  /** Over used/demanded, while more is demanded than there is. */
  readonly jain: number
  readonly p99ByService: Readonly<Record<string, number>>
  readonly byPhase: Readonly<Partial<Record<PhaseName, Part>>>
  readonly disturbance: Disturbance
}

export type PassSetting = {
  readonly members: readonly Service[]
  readonly loads: readonly GroupLoad[]
  readonly passSeconds: number
}

export function figuresOf({ groups, disturbance }: Trace, setting: PassSetting): PassFigures {
  const { members, loads, passSeconds } = setting
  const phases = phasesOf(passSeconds)
  const counted = {
    fromMicros: phases.find(isCounted)?.fromMicros ?? 0,
    toMicros: passSeconds * 1e6,
  }
  const over = (stretch: Pick<Phase, 'fromMicros' | 'toMicros'>) =>
    groups.map(({ readings }) => stretchOf(readings, stretch))
  const all = over(counted)
  const latencies = loads.map((load, i) =>
    latenciesOf(load, { doneMicros: groups[i]?.doneMicros ?? [], phases }),
  )
  const judged = latencies
    .filter((_, i) => members[i]?.isJudged)
    .flat()
    .toSorted((a, b) => a - b)
  const at = (ratio: number) => quantile(judged, ratio) ?? NaN
  return {
    latencies: judged,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    throttledRatio: throttledIn(all),
    promisedCores: total(all, 'promisedCores'),
    allowedCores: total(all, 'allowedCores'),
    usedCores: total(all, 'usedCores'),
    changesPerMinute:
      (60 * sumOf(all.map(({ changes }) => changes))) / sumOf(all.map(({ seconds }) => seconds)),
    jain: jainIn(phases, { loads, over }),
    p99ByService: p99ByService(members, latencies),
    byPhase: Object.fromEntries(
      phases.map((phase) => {
        const parts = over(phase)
        const demandedCores = sumOf(loads.map((load) => demandIn(load, phase)))
        const figures: Part = {
          demandedCores,
          usedCores: total(parts, 'usedCores'),
          allowedCores: total(parts, 'allowedCores'),
          throttledRatio: throttledIn(parts),
        }
        return [phase.name, figures]
      }),
    ),
    disturbance,
  }
}

const total = (
  all: readonly Stretch[],
  figure: 'usedCores' | 'allowedCores' | 'promisedCores',
): number => sumOf(all.map((one) => one[figure]))

const throttledIn = (all: readonly Stretch[]): number =>
  sumOf(all.map(({ throttledPeriods }) => throttledPeriods)) /
  Math.max(1, sumOf(all.map(({ periods }) => periods)))

type Served = { readonly doneMicros: readonly number[]; readonly phases: readonly Phase[] }

/** Of requests that came where there was CPU enough, from the moment they were meant to come. */
function latenciesOf({ requests }: GroupLoad, { doneMicros, phases }: Served): number[] {
  const calm = phases.filter(isBelowCapacity)
  return requests.flatMap(({ atMicros }, i) => {
    const isIn = calm.some(
      ({ fromMicros, toMicros }) => atMicros >= fromMicros && atMicros < toMicros,
    )
    return isIn ? ((doneMicros[i] ?? NaN) - atMicros) / 1000 : []
  })
}

/** Cores that arrived. */
function demandIn({ requests }: GroupLoad, { fromMicros, toMicros }: Phase): number {
  const within = requests.filter(({ atMicros }) => atMicros >= fromMicros && atMicros < toMicros)
  return sumOf(within.map(({ cpuMicros }) => cpuMicros)) / (toMicros - fromMicros)
}

function jainIn(
  phases: readonly Phase[],
  {
    loads,
    over,
  }: { readonly loads: readonly GroupLoad[]; readonly over: (phase: Phase) => readonly Stretch[] },
): number {
  const contention = phases.find(({ name }) => name === 'contention')
  if (contention === undefined) return NaN
  const used = over(contention)
  return jainIndex(
    loads.flatMap((load, i) => {
      const demanded = demandIn(load, contention)
      return demanded === 0 ? [] : (used[i]?.usedCores ?? 0) / demanded
    }),
  )
}

/** Copies of a service count together. */
function p99ByService(
  members: readonly Service[],
  latencies: readonly (readonly number[])[],
): Record<string, number> {
  const names = [...new Set(members.map(({ name }) => name))]
  return Object.fromEntries(
    names.map((name) => {
      const all = latencies.filter((_, i) => members[i]?.name === name).flat()
      return [
        name,
        quantile(
          all.toSorted((a, b) => a - b),
          0.99,
        ) ?? NaN,
      ]
    }),
  )
}
