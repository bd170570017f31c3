/** The parts of a Pod that we read. */
import { parseMillicores } from '../core/quantity.ts'
import type { Millicores } from '../core/units.ts'
import { atMost, type Keep, long, only, short } from './keep.ts'
import { mirrorAnnotation, originalAnnotation, ownNames } from './names.ts'
import { controllerKeep, type KubeObject, type Resource } from './object.ts'
import { noteWriterKeep } from './original-note.ts'

export type Pod = KubeObject & { readonly spec: PodSpec; readonly status?: PodStatus }

/** Quantities by resource name, such as `cpu`. */
export type ResourceList = Readonly<Record<string, string>>
export type ResourceRequirements = {
  readonly requests?: ResourceList
  readonly limits?: ResourceList
}

export type PodSpec = {
  readonly nodeName?: string
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  /** Of the pod as a whole, where it is set on that level. */
  readonly resources?: ResourceRequirements
  /** What its runtime class takes besides its containers. */
  readonly overhead?: ResourceList
  readonly restartPolicy?: string
  readonly priority?: number
  readonly priorityClassName?: string
  readonly os?: { readonly name: string }
}

export type Container = {
  readonly name: string
  readonly resources?: ResourceRequirements
  readonly resizePolicy?: readonly ResizePolicy[]
  /** `Always` on an init container makes it a sidecar. */
  readonly restartPolicy?: string
}

export type ResizePolicy = {
  readonly resourceName: string
  readonly restartPolicy: 'NotRequired' | 'RestartContainer'
}

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort'

export type PodStatus = {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  readonly qosClass?: QosClass
  readonly startTime?: string
  /** Compare with `metadata.generation`: what the kubelet has seen. */
  readonly observedGeneration?: number
  readonly conditions?: readonly PodCondition[]
  readonly containerStatuses?: readonly ContainerStatus[]
  readonly initContainerStatuses?: readonly ContainerStatus[]
  /** Of the pod as a whole: what runs, and what the node has set aside. */
  readonly resources?: ResourceRequirements
  readonly allocatedResources?: ResourceList
}

/** Unlike the standard condition it may lack reason and message. */
export type PodCondition = {
  /** Such as Ready, PodResizePending, PodResizeInProgress. */
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly observedGeneration?: number
}

export type ContainerStatus = {
  readonly name: string
  /** `containerd://...`; empty until it was created. */
  readonly containerID?: string
  readonly restartCount: number
  readonly state?: ContainerState
  /** What the kubelet has actuated. */
  readonly resources?: ResourceRequirements
  /** What the node has set aside: requests only. */
  readonly allocatedResources?: ResourceList
}

export type ContainerState = {
  readonly running?: { readonly startedAt?: string }
  readonly waiting?: { readonly reason?: string }
  readonly terminated?: { readonly reason?: string; readonly exitCode?: number }
}

export const pods: Resource<Pod> = {
  group: '',
  version: 'v1',
  plural: 'pods',
  kind: 'Pod',
  namespaced: true,
}

/** In bytes: two amounts of each container, and a pod may have many. */
const MOST_ORIGINAL = 4096

/** A billion CPUs, more than any node has. */
export const MOST_CPU = 1e12 as Millicores

/** A limit may be any quantity, also one that no number holds: it must not stop those who read it. */
export function cpuIn(list: ResourceList | undefined): Millicores | undefined {
  const text = list?.['cpu']
  if (text === undefined) return undefined
  try {
    return Math.min(MOST_CPU, parseMillicores(text)) as Millicores
  } catch {
    return MOST_CPU
  }
}

const resourceKeep: Keep = { cpu: short, memory: short }
const requirementsKeep: Keep = { requests: resourceKeep, limits: resourceKeep }

const containerKeep: Keep = {
  name: short,
  resources: requirementsKeep,
  resizePolicy: { resourceName: short, restartPolicy: short },
  restartPolicy: short,
}

const containerStatusKeep: Keep = {
  name: short,
  containerID: short,
  restartCount: short,
  resources: requirementsKeep,
  allocatedResources: resourceKeep,
  state: {
    running: { startedAt: short },
    waiting: { reason: short },
    terminated: { reason: short, exitCode: short },
  },
}

/** Of those that others may add there are as many as they like. */
const readConditions: ReadonlySet<unknown> = new Set([
  'Ready',
  'PodResizePending',
  'PodResizeInProgress',
])

/**
 * What is read of a pod: a tenth of a usual one, and nothing that grows with what tenants write, but
 * for its containers, all of which count, and which stay as many as they were at its start.
 */
export const podKeep = {
  metadata: {
    name: short,
    namespace: short,
    uid: short,
    resourceVersion: short,
    generation: short,
    creationTimestamp: short,
    deletionTimestamp: short,
    labels: ownNames,
    annotations: {
      ...(ownNames as object),
      [originalAnnotation]: MOST_ORIGINAL,
      [mirrorAnnotation]: short,
    },
    ownerReferences: controllerKeep,
    managedFields: noteWriterKeep,
  },
  spec: {
    nodeName: short,
    resources: requirementsKeep,
    overhead: resourceKeep,
    restartPolicy: short,
    priority: short,
    priorityClassName: short,
    os: { name: short },
    containers: containerKeep,
    initContainers: containerKeep,
  },
  status: {
    phase: short,
    qosClass: short,
    startTime: short,
    observedGeneration: short,
    resources: requirementsKeep,
    allocatedResources: resourceKeep,
    conditions: {
      type: short,
      status: short,
      reason: short,
      message: long,
      lastTransitionTime: short,
      observedGeneration: short,
      [only]: ({ type }: { readonly type?: unknown }) => readConditions.has(type),
      [atMost]: 8,
    },
    containerStatuses: containerStatusKeep,
    initContainerStatuses: containerStatusKeep,
  },
} as const satisfies Keep

/** What stands for one that is too large to be read. */
export const unreadPod = ({ metadata, unread, status }: Pod): Pod => ({
  metadata,
  ...(unread !== undefined && { unread }),
  spec: { containers: [] },
  ...(status && { status }),
})

/** Of a finished one no more is needed; any other is known as it was when it was last read. */
export const finishedUnread = (pod: Pod): Pod | undefined =>
  isFinished(pod) ? unreadPod(pod) : undefined

export const isFinished = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed'
