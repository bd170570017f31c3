/** VPA's recommender on a cluster: what it has seen of each workload's containers, and what follows. */
import { ratesBetween } from '../../../core/demand/rates.ts'
import type { CpuReading } from '../../../core/demand/reading.ts'
import {
  type History,
  noHistory,
  type Recommendation,
  recommend,
  remember,
  wholeMilli,
} from '../../../core/rivals/vpa.ts'
import type { Millis } from '../../../core/units.ts'
import type { StagedPod } from '../roster.ts'
import type { StageNode } from '../stage.ts'

export type VpaSampler = {
  /** What every container used since the last call, into the history of its workload. */
  readonly take: (pods: readonly StagedPod[], at: Millis) => void
  /** By container; one of which nothing was seen yet is not in it. */
  readonly recommendationsFor: (pod: StagedPod) => ReadonlyMap<string, Recommendation>
}

/** `known`: what was seen of each workload before, in a container that is called as it is. */
export function createVpaSampler(
  nodes: readonly StageNode[],
  known: ReadonlyMap<string, History>,
): VpaSampler {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const histories = new Map<string, History>()
  let readings = new Map<string, CpuReading>()
  const historyOf = (pod: StagedPod, container: string): History =>
    histories.get(keyOf(pod, container)) ??
    (isNamedAs(pod.workload, container) ? known.get(pod.workload) : undefined) ??
    noHistory

  return {
    take(pods, at) {
      const now = new Map<string, CpuReading>()
      for (const pod of pods) {
        const node = byName.get(pod.node)
        for (const { name, place } of pod.containers) {
          const reading = place && node?.cgroups.read(place)
          if (place === undefined || reading === undefined) continue
          now.set(place.containerId, reading)
          const before = readings.get(place.containerId)
          const measured = before && ratesBetween(before, reading, node?.cpus ?? 0)
          if (measured === undefined || 'dropped' in measured) continue
          const cores = wholeMilli(measured.rates.usageCores)
          histories.set(keyOf(pod, name), remember(historyOf(pod, name), { at, cores }))
        }
      }
      readings = now
    },
    recommendationsFor: (pod) =>
      new Map(
        pod.containers.flatMap(({ name }) => {
          const history = historyOf(pod, name)
          return history.samples === 0 ? [] : [[name, recommend(history, pod.containers.length)]]
        }),
      ),
  }
}

const isNamedAs = (workload: string, container: string): boolean =>
  workload === container || workload.endsWith(`/${container}`)

const keyOf = ({ workload }: StagedPod, container: string): string => `${workload} ${container}`
