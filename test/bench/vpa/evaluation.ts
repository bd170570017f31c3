/** `examples/scenarios/evaluation.yaml`, scaled to this node and to the length of a pass. */
import { openScenario } from '../../../src/adapters/scenario.ts'
import { parseWrittenLoad, type WrittenLoad } from '../../../src/apis/load.ts'
import type { RequestRate } from '../../../src/apis/requests-load.ts'
import type { ScenarioFile } from '../../../src/apis/scenario-file.ts'
import type { Workload } from '../../../src/apis/scenario-workload.ts'
import { type Millicores, millicores } from '../../../src/core/units.ts'

export type PassPhase = {
  readonly name: string
  readonly fromSecond: number
  readonly toSecond: number
}

/** What real pods are made to do. */
export type PassLoad = Extract<WrittenLoad, { readonly kind: 'requests' | 'steady' }>

export type PassWorkload = {
  /** With as many pods, and of each as much CPU, as this node has room for. */
  readonly workload: Workload
  /** Of each pod, in each phase. */
  readonly loads: readonly PassLoad[]
}

export type Evaluation = {
  readonly phases: readonly PassPhase[]
  readonly workloads: readonly PassWorkload[]
}

export type Scale = { readonly cpus: number; readonly seconds: number }

export async function openEvaluation(scale: Scale): Promise<Evaluation> {
  const { scenario } = await openScenario('evaluation')
  return scaleScenario(scenario, scale)
}

/**
 * A share of the nodes gets that share of the pods; where it is no whole number of them, pods and
 * their loads are made smaller.
 *
 *   4 pods of 600m on 8 CPUs, here 2 CPUs  ->  1 pod of 600m
 *   2 pods of 500m                         ->  1 pod of 250m, of half the rate
 */
export function scaleScenario(scenario: ScenarioFile, { cpus, seconds }: Scale): Evaluation {
  const { nodes = [], phases, workloads, duration } = scenario
  if (duration === undefined) throw new Error('scaling a scenario: expected one with a duration')
  const share = cpus / nodes.reduce((sum, group) => sum + group.count * group.cpus, 0)
  const pace = seconds / (duration / 1000)
  const starts = [...phases.map(({ at }) => at), duration].map((at) => (at / 1000) * pace)
  return {
    phases: phases.map(({ name }, i) => ({
      name,
      fromSecond: starts[i] ?? 0,
      toSecond: starts[i + 1] ?? seconds,
    })),
    workloads: workloads.map((workload): PassWorkload => {
      const replicas = Math.max(1, Math.round(workload.replicas * share))
      const size = (workload.replicas * share) / replicas
      const { request, limit } = workload.cpu
      const sized = (amount: Millicores) => millicores(Math.round(amount * size))
      const cpu = {
        ...(request !== undefined && { request: sized(request) }),
        ...(limit !== undefined && { limit: sized(limit) }),
      }
      return {
        workload: { ...workload, replicas, cpu },
        loads: loadsOf(workload, scenario).map((text) =>
          sizeLoad(parseWrittenLoad(text), size, pace),
        ),
      }
    }),
  }
}

/** In each phase; who is not named in one goes on. */
function loadsOf({ name, load }: Workload, { phases }: ScenarioFile): string[] {
  let now = load
  return phases.map(({ loads }) => (now = loads[name] ?? now))
}

function sizeLoad(load: WrittenLoad, size: number, pace: number): PassLoad {
  if (load.kind === 'requests') return { ...load, rate: sizeRate(load.rate, size, pace) }
  if (load.kind === 'steady') return { ...load, milliCpu: load.milliCpu * size }
  throw new Error(`scaling a load: expected requests or steady, got ${load.kind}`)
}

const sizeRate = (rate: RequestRate, size: number, pace: number) => ({
  ...rate,
  perSecond: rate.perSecond * size,
  toPerSecond: rate.toPerSecond * size,
  overMillis: rate.overMillis * pace,
})
