import type { ScenarioFile } from '../../../apis/scenario-file.ts'
import type { Workload } from '../../../apis/scenario-workload.ts'

/** As results name a workload: with its namespace, if that is not the default one. */
export const nameOf = ({ name, namespace }: Pick<Workload, 'name' | 'namespace'>): string =>
  namespace === 'default' ? name : `${namespace}/${name}`

/** What owners requested for each pod of a workload, in cores: their floor, or their request. */
export const writtenCoresOf = ({ workloads }: ScenarioFile): ReadonlyMap<string, number> =>
  new Map(
    workloads.map((workload) => {
      const { minCpu, cpu } = workload
      return [nameOf(workload), (minCpu ?? cpu.request ?? 0) / 1000]
    }),
  )
