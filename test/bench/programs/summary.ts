/** What the repeats say of each arm in a scene, and whether ours is where it should be. */
import { quantile } from '../statistics.ts'
import type { Repeated } from './contest.ts'

export type ArmSummary = {
  readonly scene: string
  readonly arm: string
  readonly service: string
  /** One a repeat, in the order of the repeats. */
  readonly p99s: readonly number[]
  readonly p50: number
  readonly p99: number
  /** Of the medians; undefined where that arm was not run. */
  readonly toAlone: number | undefined
  readonly toByHand: number | undefined
  readonly batchCores: number | undefined
  /** The part of the batch work that weights by hand leave it. */
  readonly batchToByHand: number | undefined
}

/** Of an even number the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b)
  const high = quantile(ascending, 0.5) ?? NaN
  if (ascending.length % 2 === 1) return high
  return (high + (ascending[ascending.length / 2 - 1] ?? NaN)) / 2
}

/** In the order of scenes and arms as first run, which `arms` puts right. */
export function summarise(runs: readonly Repeated[], arms: readonly string[]): ArmSummary[] {
  const scenes = [...new Set(runs.map(({ scene }) => scene))]
  return scenes.flatMap((scene) => {
    const within = runs.filter((run) => run.scene === scene)
    const names = within[0]?.services.map(({ name }) => name) ?? []
    const present = arms.filter((arm) => within.some((run) => run.arm === arm))
    return present.flatMap((arm) =>
      names.map((service): ArmSummary => {
        const [own, alone, byHand] = [arm, 'alone', 'by hand'].map((name) =>
          figuresOf(within, name, service),
        )
        if (own === undefined) throw new Error(`expected runs of ${arm} in ${scene}`)
        return {
          scene,
          arm,
          service,
          p99s: own.p99s,
          p50: own.p50,
          p99: own.p99,
          toAlone: over(own.p99, alone?.p99),
          toByHand: over(own.p99, byHand?.p99),
          batchCores: own.batchCores,
          batchToByHand: over(own.batchCores, byHand?.batchCores),
        }
      }),
    )
  })
}

function figuresOf(runs: readonly Repeated[], arm: string, service: string) {
  const own = runs.filter((run) => run.arm === arm).toSorted((a, b) => a.repeat - b.repeat)
  if (own.length === 0) return undefined
  const figures = own.flatMap(({ services }) => services.filter(({ name }) => name === service))
  const batches = own.flatMap(({ batchCores }) => batchCores ?? [])
  const p99s = figures.map(({ p99 }) => p99)
  return {
    p99s,
    p99: medianOf(p99s),
    p50: medianOf(figures.map(({ p50 }) => p50)),
    batchCores: batches.length === 0 ? undefined : medianOf(batches),
  }
}

const over = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one / other
