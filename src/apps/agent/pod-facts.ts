/** Reads out of a Pod what is measured of it and what `core/bidding` decides on. */
import type { LimitRange } from '../../apis/limit-range.ts'
import { mirrorAnnotation } from '../../apis/names.ts'
import { type Container, type ContainerStatus, cpuIn, type Pod } from '../../apis/pod.ts'
import type { NodePod, PodContainer, PodWishes } from '../../core/bidding/pod.ts'
import type { Tracked } from '../../core/demand/tracker.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import type { ContainerPlace, PodPlace } from '../../ports/cgroup.ts'
import type { CpuManagerState } from '../../ports/cpu-manager.ts'
import { rangeOf } from './cpu-range.ts'

export type LastingContainer = {
  readonly name: string
  /** Where the kernel keeps its counters; undefined while it does not run. */
  readonly place: ContainerPlace | undefined
  readonly limit: Millicores | undefined
}

/** Those that run for the life of the pod. */
export function lastingContainers(pod: Pod): LastingContainer[] {
  const { podUid, qosClass } = placeOf(pod)
  return lasting(pod).map(({ name, resources }) => {
    const status = statusOf(pod, name)
    const containerId = status?.containerID ?? ''
    const runs = status?.state?.running !== undefined && containerId !== ''
    const place = runs ? { podUid, qosClass, containerId } : undefined
    return { name, place, limit: cpuIn(resources?.limits) }
  })
}

export const placeOf = (pod: Pod): PodPlace => ({
  podUid: pod.metadata.uid ?? '',
  qosClass: qosClassOf(pod),
})

/** What is known of a pod besides its own object. */
export type PodKnowledge = {
  readonly wishes: PodWishes
  readonly trackedOf: (containerId: string) => Tracked | undefined
  /** Of its namespace. */
  readonly limitRanges: readonly LimitRange[]
  readonly cpuManager: CpuManagerState | undefined
}

export function nodePodOf(
  pod: Pod,
  { wishes, trackedOf, limitRanges, cpuManager }: PodKnowledge,
): NodePod {
  const { uid = '', namespace = '', name = '', annotations } = pod.metadata
  const { resources, priority = 0 } = pod.spec
  const qosClass = qosClassOf(pod)
  const exclusive = cpuManager?.exclusiveCpus.get(uid)
  const containers = lasting(pod).map((container) => {
    const tracked = trackedOf(statusOf(pod, container.name)?.containerID ?? '')
    return containerOf(container, { tracked, exclusiveCpus: exclusive?.get(container.name) })
  })
  const asking = containers.filter(
    ({ request, limit }) => request !== undefined || limit !== undefined,
  )
  return {
    uid,
    namespace,
    name,
    phase: phaseOf(pod),
    qosClass,
    priority,
    isStatic: annotations?.[mirrorAnnotation] !== undefined,
    hasPodResources: resources !== undefined,
    podRequest: cpuIn(resources?.requests),
    isFixed: qosClass === 'Guaranteed' && cpuManager?.policy === 'static',
    wishes,
    containers,
    range: rangeOf(limitRanges, asking.length),
  }
}

/** By the wall clock: of the container that began last, since a restart is a start; else of the pod. */
export function startedAtOf(pod: Pod): Millis | undefined {
  const begun = lasting(pod).flatMap(
    ({ name }) => timeIn(statusOf(pod, name)?.state?.running?.startedAt) ?? [],
  )
  return begun.length === 0 ? timeIn(pod.status?.startTime) : (Math.max(...begun) as Millis)
}

const timeIn = (text: string | undefined): Millis | undefined => {
  const wall = Date.parse(text ?? '')
  return Number.isNaN(wall) ? undefined : (wall as Millis)
}

/** Containers, and the init containers that go on running (sidecars). */
const lasting = ({ spec }: Pod): readonly Container[] => [
  ...spec.containers,
  ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
]

const statusOf = ({ status }: Pod, name: string): ContainerStatus | undefined =>
  [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
    (status) => status.name === name,
  )

function phaseOf({ metadata, status }: Pod): NodePod['phase'] {
  const phase = status?.phase
  if (phase === 'Succeeded' || phase === 'Failed') return 'finished'
  if (metadata.deletionTimestamp !== undefined) return 'terminating'
  return phase === 'Running' ? 'running' : 'pending'
}

const qosClassOf = ({ status }: Pod): NodePod['qosClass'] => status?.qosClass ?? 'BestEffort'

function containerOf(
  { name, resources, resizePolicy }: Container,
  { tracked, exclusiveCpus }: { tracked: Tracked | undefined; exclusiveCpus: number | undefined },
): PodContainer {
  return {
    name,
    restartsOnResize: (resizePolicy ?? []).some(
      ({ resourceName, restartPolicy }) =>
        resourceName === 'cpu' && restartPolicy === 'RestartContainer',
    ),
    request: cpuIn(resources?.requests),
    limit: cpuIn(resources?.limits),
    exclusiveCpus,
    usageCores: tracked?.rates?.usageCores,
    demandCores: tracked?.demandCores,
  }
}
