/** Reads out of a Pod what is measured of it and what `core/bidding` decides on. */
import { mirrorAnnotation, originalAnnotation } from '../../apis/names.ts'
import { timeIn } from '../../apis/object.ts'
import { lastingIn, restartsForCpu, statusesIn } from '../../apis/pod-containers.ts'
import { type Container, type ContainerStatus, cpuIn, type Pod } from '../../apis/pod.ts'
import type {
  CpuRange,
  NodePod,
  PodAmounts,
  PodContainer,
  PodWishes,
} from '../../core/bidding/pod.ts'
import type { PendingResize } from '../../core/bidding/resize-bound.ts'
import type { Tracked } from '../../core/demand/tracker.ts'
import { parseOriginal } from '../../core/resize/original.ts'
import type { ContainerCpu } from '../../core/resize/types.ts'
import { type Millicores, type Millis, sum } from '../../core/units.ts'
import type { ContainerPlace, PodPlace } from '../../ports/cgroup.ts'
import type { NodeCpus } from '../../ports/node-cpus.ts'

export type LastingContainer = {
  readonly name: string
  /** Where the kernel keeps its counters; undefined while it does not run. */
  readonly place: ContainerPlace | undefined
  readonly request: Millicores | undefined
  readonly limit: Millicores | undefined
}

/** Those that run for the life of the pod. */
export function lastingContainers(pod: Pod): LastingContainer[] {
  const { podUid, qosClass } = placeOf(pod)
  const statusOf = statusesOf(pod)
  return lastingIn(pod.spec).map(({ name, resources }) => {
    const status = statusOf(name)
    const containerId = status?.containerID ?? ''
    const runs = status?.state?.running !== undefined && containerId !== ''
    const place = runs ? { podUid, qosClass, containerId } : undefined
    return { name, place, request: cpuIn(resources?.requests), limit: cpuIn(resources?.limits) }
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
  /** What the LimitRanges of its namespace let it have. */
  readonly range: CpuRange | undefined
  readonly nodeCpus: NodeCpus | undefined
}

export function nodePodOf(pod: Pod, { wishes, trackedOf, range, nodeCpus }: PodKnowledge): NodePod {
  const { uid = '', namespace = '', name = '', annotations } = pod.metadata
  const { resources, priority = 0 } = pod.spec
  const qosClass = qosClassOf(pod)
  const exclusive = nodeCpus?.exclusive.get(uid)
  const first = originalsIn(annotations)
  const statusOf = statusesOf(pod)
  const waits = pendingIn(pod) !== undefined
  const containers = lastingIn(pod.spec).map((container) => {
    const { name } = container
    const status = statusOf(name)
    return containerOf(container, {
      tracked: trackedOf(status?.containerID ?? ''),
      actuated: waits ? cpuIn(status?.resources?.requests) : undefined,
      exclusiveCpus: exclusive?.get(name)?.length,
      firstRequest: first?.get(name)?.request,
      firstLimit: first?.get(name)?.limit,
    })
  })
  return {
    uid,
    namespace,
    name,
    unread: pod.unread,
    phase: phaseOf(pod),
    qosClass,
    priority,
    cameAt: timeIn(pod.status?.startTime),
    isStatic: annotations?.[mirrorAnnotation] !== undefined,
    hasPodResources: resources !== undefined,
    podRequest: cpuIn(resources?.requests),
    isFixed: qosClass === 'Guaranteed' && nodeCpus?.settings.cpuManager?.policy === 'static',
    wishes,
    containers,
    range,
  }
}

/** By the wall clock: of the container that began last, since a restart is a start; else of the pod. */
export function startedAtOf(pod: Pod): Millis | undefined {
  const statusOf = statusesOf(pod)
  const begun = lastingIn(pod.spec).flatMap(
    ({ name }) => timeIn(statusOf(name)?.state?.running?.startedAt) ?? [],
  )
  return begun.length === 0 ? timeIn(pod.status?.startTime) : (Math.max(...begun) as Millis)
}

/** What its kubelet says of a resize that waits; undefined if none does, or it does not tell what is set. */
export function pendingResizeOf(pod: Pod): PendingResize | undefined {
  const found = pendingIn(pod)
  if (found === undefined) return undefined
  const { reason: state, message = '', observedGeneration, lastTransitionTime } = found
  const since = timeIn(lastTransitionTime)
  const actuated = actuatedOf(pod)
  if (state !== 'Deferred' && state !== 'Infeasible') return undefined
  if (since === undefined || actuated === undefined) return undefined
  return { state, message, mark: String(observedGeneration ?? since), since, actuated }
}

const pendingIn = ({ status }: Pod) =>
  status?.conditions?.find(({ type, status }) => type === 'PodResizePending' && status === 'True')

function actuatedOf(pod: Pod): PodAmounts | undefined {
  const statusOf = statusesOf(pod)
  const set = lastingIn(pod.spec).map(({ name }) => statusOf(name)?.resources)
  if (set.some((resources) => resources === undefined)) return undefined
  const request = sum(set.map((resources) => cpuIn(resources?.requests) ?? (0 as Millicores)))
  const limits = set.flatMap((resources) => cpuIn(resources?.limits) ?? [])
  return { request, limit: limits.length === set.length ? sum(limits) : request }
}

/** By name: a pod may have a thousand containers, and is asked about each. */
function statusesOf({ status }: Pod): (name: string) => ContainerStatus | undefined {
  const statuses = new Map(statusesIn(status).map((one) => [one.name, one]))
  return (name) => statuses.get(name)
}

function phaseOf({ metadata, status }: Pod): NodePod['phase'] {
  const phase = status?.phase
  if (phase === 'Succeeded' || phase === 'Failed') return 'finished'
  if (metadata.deletionTimestamp !== undefined) return 'terminating'
  return phase === 'Running' ? 'running' : 'pending'
}

const qosClassOf = ({ status }: Pod): NodePod['qosClass'] => status?.qosClass ?? 'BestEffort'

/** By container; what cannot be read says nothing, and the controller tells it. */
function originalsIn(
  annotations: Pod['metadata']['annotations'],
): ReadonlyMap<string, ContainerCpu> | undefined {
  const text = annotations?.[originalAnnotation]
  if (text === undefined) return undefined
  try {
    return new Map(parseOriginal(text).map((original) => [original.name, original]))
  } catch {
    return undefined
  }
}

type ContainerKnowledge = Pick<PodContainer, 'exclusiveCpus' | 'firstRequest' | 'firstLimit'> & {
  readonly tracked: Tracked | undefined
  /** Where a resize waits: what is in force. Who asks for more than there is has not requested it yet. */
  readonly actuated: Millicores | undefined
}

function containerOf(
  container: Container,
  { tracked, actuated, ...known }: ContainerKnowledge,
): PodContainer {
  const { name, resources } = container
  return {
    name,
    restartsOnResize: restartsForCpu(container),
    request: leastOf(cpuIn(resources?.requests), actuated),
    limit: cpuIn(resources?.limits),
    ...known,
    usageCores: tracked?.rates?.usageCores,
    demandCores: tracked?.demandCores,
  }
}

const leastOf = (
  asked: Millicores | undefined,
  actuated: Millicores | undefined,
): Millicores | undefined =>
  asked === undefined || actuated === undefined || asked < actuated ? asked : actuated
