import { millicoresIn, type PodAllocation } from '../../apis/pod-allocation.ts'
/** Reads out of Kubernetes objects what `core/resize` decides on. */
import type { Container, Pod, ResourceRequirements } from '../../apis/pod.ts'
import type { ContainerCpu, PodCpu } from '../../core/resize/plan.ts'
import { type Millicores, split } from '../../core/units.ts'

export function podCpu({ spec, status }: Pod): PodCpu {
  const containers = resizable(spec)
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  const actuated = statuses.filter(({ resources }) => resources !== undefined)
  const names = new Set(containers.map(({ name }) => name))
  return {
    phase: status?.phase ?? 'Unknown',
    qosClass: status?.qosClass,
    spec: containers.map(({ name, resources }) => cpuOf(name, resources)),
    actuated: actuated
      .filter(({ name }) => names.has(name))
      .map(({ name, resources }) => cpuOf(name, resources)),
    restarting: containers.filter(restartsForCpu).map(({ name }) => name),
    pending: pendingOf(status),
  }
}

/** Sidecars are init containers that go on running. */
const resizable = (spec: Pod['spec']): readonly Container[] => [
  ...spec.containers,
  ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
]

const restartsForCpu = ({ resizePolicy }: Container): boolean =>
  (resizePolicy ?? []).some(
    ({ resourceName, restartPolicy }) =>
      resourceName === 'cpu' && restartPolicy === 'RestartContainer',
  )

const cpuOf = (name: string, resources: ResourceRequirements | undefined): ContainerCpu => ({
  name,
  request: amount(resources?.requests?.['cpu']),
  limit: amount(resources?.limits?.['cpu']),
})

const amount = (quantity: string | number | undefined): Millicores | undefined =>
  quantity === undefined ? undefined : millicoresIn(quantity)

function pendingOf(status: Pod['status']): PodCpu['pending'] {
  const conditions = status?.conditions ?? []
  const found =
    conditions.find(({ type, status }) => type === 'PodResizePending' && status === 'True') ??
    conditions.find(({ type, status }) => type === 'PodResizeInProgress' && status === 'True')
  return found === undefined
    ? undefined
    : { reason: found.reason ?? '', message: found.message ?? '' }
}

/** What each container should have; sums are split as the containers share them now. */
export function desiredCpu({ spec }: PodAllocation, pod: PodCpu): readonly ContainerCpu[] {
  if (spec.containers !== undefined && spec.containers.length > 0) {
    return spec.containers.map(({ name, desiredCPURequest, desiredCPULimit }) => ({
      name,
      request: amount(desiredCPURequest),
      limit: amount(desiredCPULimit),
    }))
  }
  const requests = splitLike(amount(spec.desiredCPURequest), pod.spec, 'request')
  const limits = splitLike(amount(spec.desiredCPULimit), pod.spec, 'limit')
  return pod.spec.map(({ name }, i) => ({ name, request: requests[i], limit: limits[i] }))
}

function splitLike(
  total: Millicores | undefined,
  containers: readonly ContainerCpu[],
  field: 'request' | 'limit',
): readonly (Millicores | undefined)[] {
  const shares = containers.map((container) => container[field] ?? 0)
  if (total === undefined || shares.every((share) => share === 0)) return []
  const parts = split(total, shares)
  // What has no value of its own now gets none: a limit could not be taken away again.
  return parts.map((part, i) => (containers[i]?.[field] === undefined ? undefined : part))
}
