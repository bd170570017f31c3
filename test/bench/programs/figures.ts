/** The figures of one run. */
import { quantile } from '../statistics.ts'
import type { Arm } from './arm.ts'
import type { Metered } from './meter.ts'
import type { Served } from './program.ts'
import { judgedSpans, type Lengths, type Scene } from './scene.ts'

export type ServiceFigures = {
  readonly name: string
  readonly requests: number
  /** Milliseconds. */
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
  readonly usedCores: number
}

export type RunFigures = {
  readonly scene: string
  readonly arm: string
  readonly services: readonly ServiceFigures[]
  /** Without batch work there is none. */
  readonly batchCores?: number
  /** Of our agent, where it is the arm. */
  readonly agentCores: number
  readonly stealRatio: number
  readonly othersRatio: number
}

export type Measured = {
  readonly scene: Scene
  readonly arm: Pick<Arm, 'name'>
  readonly lengths: Lengths
  /** Of each service. */
  readonly served: readonly (readonly Served[])[]
  readonly batchCores: number | undefined
  readonly metered: Metered
}

export function figuresOf(run: Measured): RunFigures {
  const { scene, arm, served, batchCores, metered } = run
  const { usedCores, agentCores, stealRatio, othersRatio } = metered
  return {
    scene: scene.name,
    arm: arm.name,
    services: scene.services.map(({ name }, i) => {
      const latencies = judgedLatencies(served[i] ?? [], run)
      const at = (ratio: number) => quantile(latencies, ratio) ?? NaN
      if (latencies.length === 0) throw new Error(`measuring ${name}: nothing was served`)
      return {
        name,
        requests: latencies.length,
        p50: at(0.5),
        p90: at(0.9),
        p99: at(0.99),
        max: at(1),
        usedCores: usedCores[i] ?? NaN,
      }
    }),
    ...(batchCores === undefined ? {} : { batchCores }),
    agentCores,
    stealRatio,
    othersRatio,
  }
}

/** Ascending; of requests that were meant to come while the run is judged. */
function judgedLatencies(served: readonly Served[], { scene, lengths }: Measured): number[] {
  const spans = judgedSpans(scene, lengths)
  return served
    .filter(({ atMillis }) =>
      spans.some(
        ({ fromSecond, toSecond }) => atMillis >= fromSecond * 1000 && atMillis < toSecond * 1000,
      ),
    )
    .map(({ latencyMillis }) => latencyMillis)
    .toSorted((a, b) => a - b)
}
