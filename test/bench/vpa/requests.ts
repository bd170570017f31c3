/** The requests of a pass: open loop, Poisson, the same for every arm of a repeat. */
import { createArrivals } from '../../../src/sim/kernel/arrivals.ts'
import type { Evaluation, PassWorkload } from './evaluation.ts'

export type Request = { readonly atMicros: number; readonly cpuMicros: number }

/** Of one pod of a workload. */
export type Slot = {
  readonly workload: string
  readonly requests: readonly Request[]
}

export function slotsOf({ phases, workloads }: Evaluation, seed: number): Slot[] {
  return workloads.flatMap(({ workload, loads }, i) =>
    Array.from({ length: workload.replicas }, (_, pod): Slot => {
      const requests = phases.flatMap(({ fromSecond, toSecond }, phase) => {
        const span = { fromMicros: fromSecond * 1e6, toMicros: toSecond * 1e6 }
        return within(span, loads[phase], ((seed * 10 + i) * 10 + pod) * 10 + phase)
      })
      return { workload: workload.name, requests }
    }),
  )
}

type SpanMicros = { readonly fromMicros: number; readonly toMicros: number }

/** Times in a load begin anew with a phase. */
function within(
  { fromMicros, toMicros }: SpanMicros,
  load: PassWorkload['loads'][number] | undefined,
  seed: number,
): Request[] {
  if (load?.kind !== 'requests') return []
  const next = createArrivals(load, seed)
  const found: Request[] = []
  for (;;) {
    const { atMicros, cpuMicros } = next()
    if (fromMicros + atMicros >= toMicros) return found
    found.push({ atMicros: fromMicros + atMicros, cpuMicros })
  }
}
