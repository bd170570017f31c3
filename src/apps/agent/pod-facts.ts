/** Reads out of a Pod what is measured of it and what `core/bidding` decides on. */
import { mirrorAnnotation } from '../../apis/names.ts'
import { millicoresIn } from '../../apis/pod-allocation.ts'
import type { Container, ContainerStatus, Pod, ResourceList } from '../../apis/pod.ts'
import type { NodePod, PodContainer, PodWishes } from '../../core/bidding/pod.ts'
import type { Tracked } from '../../core/demand/tracker.ts'
import type { Millicores } from '../../core/units.ts'
import type { ContainerPlace } from '../../ports/cgroup.ts'

/** Where the kernel keeps the counters of the containers that run. */
export function placesOf(pod: Pod): ContainerPlace[] {
  const { uid = '' } = pod.metadata
  const qosClass = qosClassOf(pod)
  return lasting(pod).flatMap(({ name }) => {
    const status = statusOf(pod, name)
    const containerId = status?.containerID ?? ''
    const runs = status?.state?.running !== undefined && containerId !== ''
    return runs ? [{ podUid: uid, qosClass, containerId }] : []
  })
}

export function factsOf(
  pod: Pod,
  wishes: PodWishes,
  trackedOf: (containerId: string) => Tracked | undefined,
): NodePod {
  const { uid = '', namespace = '', name = '', annotations } = pod.metadata
  return {
    uid,
    namespace,
    name,
    phase: phaseOf(pod),
    qosClass: qosClassOf(pod),
    priority: pod.spec.priority ?? 0,
    isStatic: annotations?.[mirrorAnnotation] !== undefined,
    hasPodResources: pod.spec.resources !== undefined,
    wishes,
    containers: lasting(pod).map((container) =>
      containerOf(container, trackedOf(statusOf(pod, container.name)?.containerID ?? '')),
    ),
  }
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
  tracked: Tracked | undefined,
): PodContainer {
  return {
    name,
    restartsOnResize: (resizePolicy ?? []).some(
      ({ resourceName, restartPolicy }) =>
        resourceName === 'cpu' && restartPolicy === 'RestartContainer',
    ),
    request: cpuIn(resources?.requests),
    limit: cpuIn(resources?.limits),
    usageCores: tracked?.rates?.usageCores,
    demandCores: tracked?.demandCores,
  }
}

const cpuIn = (list: ResourceList | undefined): Millicores | undefined =>
  list?.['cpu'] === undefined ? undefined : millicoresIn(list['cpu'])
