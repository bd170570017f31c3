/** Reads out of a Pod what `core/resize` decides on. */
import { timeIn } from '../../apis/object.ts'
import { isSidecar, lastingIn, restartsForCpu, statusesIn } from '../../apis/pod-containers.ts'
import { type Container, type ContainerStatus, cpuIn, type Pod } from '../../apis/pod.ts'
import { parseQuantity } from '../../core/quantity.ts'
import type { ContainerCpu, KubeletWord, PodCpu } from '../../core/resize/types.ts'

/** All but what only the node knows. */
export type PodOwnCpu = Omit<PodCpu, 'hasExclusiveCpus'>

export function podCpuOf(pod: Pod): PodOwnCpu {
  const { metadata, spec, status } = pod
  const containers = lastingIn(spec)
  const names = new Set(containers.map(({ name }) => name))
  const statuses = statusesIn(status).filter(({ name }) => names.has(name))
  return {
    phase: status?.phase ?? 'Unknown',
    qosClass: status?.qosClass,
    isTerminating: metadata.deletionTimestamp !== undefined,
    spec: containers.map(({ name, resources }) => ({
      name,
      request: cpuIn(resources?.requests),
      limit: cpuIn(resources?.limits),
    })),
    actuated: statuses.flatMap(actuatedIn),
    allocated: statuses.flatMap(allocatedIn),
    restarting: containers.filter(restartsForCpu).map(({ name }) => name),
    hasPodResources: spec.resources !== undefined,
    memoryIsGuaranteed: isGuaranteedBesides(spec),
    pending: pendingWord(pod),
  }
}

/** All but the CPU that a resize may change is as a Guaranteed pod has it. */
function isGuaranteedBesides({ containers, initContainers = [] }: Pod['spec']): boolean {
  const isEqual = ({ resources }: Container, name: string): boolean => {
    const [request, limit] = [resources?.requests?.[name], resources?.limits?.[name]]
    return limit !== undefined && exact(request ?? limit) === exact(limit)
  }
  return (
    [...containers, ...initContainers].every((one) => isEqual(one, 'memory')) &&
    initContainers.every((one) => isSidecar(one) || isEqual(one, 'cpu'))
  )
}

/** 1Gi and 1073741824 are the same; what is beyond our numbers is the same only as text. */
function exact(quantity: string): bigint | string {
  try {
    return parseQuantity(quantity).nanos
  } catch {
    return quantity
  }
}

const actuatedIn = ({ name, resources }: ContainerStatus): ContainerCpu[] =>
  resources === undefined
    ? []
    : [{ name, request: cpuIn(resources.requests), limit: cpuIn(resources.limits) }]

const allocatedIn = ({ name, allocatedResources }: ContainerStatus): ContainerCpu[] =>
  allocatedResources === undefined
    ? []
    : [{ name, request: cpuIn(allocatedResources), limit: undefined }]

/** Waiting for room comes before being under way: with both, it is an older wish that is under way. */
export function pendingWord({ metadata, status }: Pod): KubeletWord | undefined {
  const conditions = (status?.conditions ?? []).filter(({ status }) => status === 'True')
  const pending = conditions.find(
    // What it said of an earlier wish is not an answer to this one.
    ({ type, observedGeneration = Infinity }) =>
      type === 'PodResizePending' && observedGeneration >= (metadata.generation ?? 0),
  )
  const found = pending ?? conditions.find(({ type }) => type === 'PodResizeInProgress')
  if (found === undefined) return undefined
  const { reason, message = '', lastTransitionTime } = found
  const unfinished = reason === 'Error' ? 'Error' : 'InProgress'
  const refused = reason === 'Infeasible' ? 'Infeasible' : 'Deferred'
  return {
    state: pending === undefined ? unfinished : refused,
    message,
    since: timeIn(lastTransitionTime),
  }
}
