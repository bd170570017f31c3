/** A scenario whose pods come with other requests than their owners wrote. */
import type { NodeGroup, ScenarioFile } from '../../../apis/scenario-file.ts'
import type { Workload } from '../../../apis/scenario-workload.ts'
import type { Recommendation } from '../../../core/rivals/vpa.ts'
import { type Millicores, millicores } from '../../../core/units.ts'
import type { Hindsight } from './hindsight.ts'
import { nameOf } from './written.ts'

type Size = Workload['cpu']

const resized = (
  scenario: ScenarioFile,
  sizeOf: (workload: Workload) => Size | undefined,
): ScenarioFile => ({
  ...scenario,
  workloads: scenario.workloads.map((workload) => {
    const cpu = sizeOf(workload)
    return cpu === undefined ? workload : { ...workload, cpu }
  }),
})

/** As VPA's webhook does it when a pod is made: limits keep their ratio to requests. */
export const sizedByVpa = (
  scenario: ScenarioFile,
  recommendations: ReadonlyMap<string, Recommendation>,
): ScenarioFile =>
  resized(scenario, (workload) => {
    const target = recommendations.get(nameOf(workload))?.target
    if (target === undefined) return undefined
    const { request, limit } = workload.cpu
    const isInRatio = request !== undefined && limit !== undefined
    return {
      request: target,
      ...(isInRatio && { limit: millicores(Math.floor((target * limit) / request)) }),
    }
  })

/** Of what its owner would request for work that nobody waits for. */
const SMALL_RATIO = 0.01

/** As somebody writes requests who wants what has a target to come first, and nothing else. */
export const sizedSmall = (scenario: ScenarioFile): ScenarioFile =>
  resized(scenario, ({ slo, cpu: { request } }) => {
    if (request === undefined) return undefined
    return { request: slo ? request : millicores(Math.max(1, Math.round(SMALL_RATIO * request))) }
  })

/** So much of the nodes at most is promised: what does not fit would wait for a node. */
const MOST_RATIO = 0.95

/** As somebody would write them who knows what each pod will want on average. `usualNodes`: where it names none. */
export function sizedByHindsight(
  scenario: ScenarioFile,
  hindsight: Hindsight,
  usualNodes: readonly NodeGroup[],
): ScenarioFile {
  const { nodes = usualNodes, workloads } = scenario
  const capacity = nodes.reduce((sum, { count, cpus }) => sum + count * cpus, 0)
  const wantedOf = (workload: Workload): number =>
    hindsight.get(nameOf(workload))?.demandedCores ?? 0
  const wanted = workloads.reduce((sum, one) => sum + one.replicas * wantedOf(one), 0)
  const fits = Math.min(1, (MOST_RATIO * capacity) / wanted)
  return resized(scenario, (workload) => {
    const request = Math.max(1, Math.round(wantedOf(workload) * fits * 1000)) as Millicores
    return { request }
  })
}
