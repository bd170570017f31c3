import { pods } from '../../apis/pod.ts'
import { formatCpuSet } from '../../core/cpu/cpu-set.ts'
import { explainMisalignment } from '../../core/cpu/misalignment/explain.ts'
import { findMisalignments } from '../../core/cpu/misalignment/find.ts'
import type { KnownNode, Misalignment } from '../../core/cpu/misalignment/misalignment.ts'
/** Tells of containers whose CPUs and memory are not where they should be: once each, and as numbers. */
import { keyOfPod } from '../../core/pod-name.ts'
import type { CgroupReader, ContainerPlace } from '../../ports/cgroup.ts'
import type { Log } from '../../ports/log.ts'
import type { NodeCpus } from '../../ports/node-cpus.ts'
import { type EventRecorder, referenceTo } from '../../runtime/events.ts'
import type { AgentMetrics } from './metrics.ts'
import type { SeenPod } from './seen-pod.ts'

/** Of the event on the pod; docs/troubleshooting.md has its entry. */
export const MISALIGNED = 'CPUMisaligned'

export type MisalignmentWatch = {
  readonly look: (nodeCpus: NodeCpus | undefined, pods: readonly SeenPod[]) => void
}

type WatchNeeds = {
  readonly cgroups: Pick<CgroupReader, 'numaMemory'>
  readonly record: EventRecorder['record']
  readonly metrics: Pick<AgentMetrics, 'misaligned'>
  readonly log: Log
}

export function watchMisalignment({
  cgroups,
  record,
  metrics,
  log,
}: WatchNeeds): MisalignmentWatch {
  /** By UID: what was told. A share of memory that goes up and down is no news. */
  const told = new Map<string, Set<string>>()

  const memoryOf = (place: ContainerPlace) => {
    try {
      return cgroups.numaMemory?.(place)
    } catch (error) {
      log('debug', 'memory by numa node not read', { container: place.containerId, error })
      return undefined
    }
  }

  const runningIn = ({ uid, containers }: SeenPod, node: KnownNode) =>
    containers.flatMap(({ name: container, place }) => {
      const isPinned = (node.exclusive.get(uid)?.get(container)?.length ?? 0) > 0
      return isPinned && place !== undefined ? [{ uid, container, memory: memoryOf(place) }] : []
    })

  const tell = (found: Misalignment, seen: SeenPod, message: string): void => {
    const { uid, container, kind, cpus } = found
    const before = told.get(uid) ?? new Set()
    const news = `${container} ${kind} ${formatCpuSet(cpus)}`
    if (before.has(news)) return
    told.set(uid, before.add(news))
    const pod = keyOfPod(seen)
    log('warn', 'container misaligned', { pod, container, kind, reason: message })
    const about = referenceTo(pods, seen.pod)
    record({ about, type: 'Warning', reason: MISALIGNED, message })
  }

  return {
    look: (nodeCpus, seenPods) => {
      const bySeen = new Map(seenPods.map((seen) => [seen.uid, seen]))
      for (const uid of told.keys()) if (!bySeen.has(uid)) told.delete(uid)
      if (nodeCpus?.machine === undefined) return metrics.misaligned([])
      const node = { ...nodeCpus, machine: nodeCpus.machine }
      const nameOf = (uid: string): string => {
        const seen = bySeen.get(uid)
        return seen === undefined ? `pod ${uid}` : keyOfPod(seen)
      }
      const found = findMisalignments(
        node,
        seenPods.flatMap((seen) => runningIn(seen, node)),
      )
      metrics.misaligned(found)
      for (const one of found) {
        const seen = bySeen.get(one.uid)
        const around = { machine: node.machine, nameOf }
        if (seen !== undefined) tell(one, seen, explainMisalignment(one, around))
      }
    },
  }
}
