/** The parts of a Pod that we read. */
import { parseMillicores } from '../core/quantity.ts'
import type { Millicores } from '../core/units.ts'
import { gpuPrefix, mirrorAnnotation, prefix } from './names.ts'
import type { KubeObject, ObjectMeta, Resource } from './object.ts'

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

/** A billion CPUs, more than any node has. */
const MOST_CPU = 1e12 as Millicores

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

/** A copy of what an informer keeps: a tenth of a usual pod, and nothing that holds the rest. */
export function projectPod({ metadata, spec, status }: Pod): Pod {
  return {
    metadata: projectMeta(metadata),
    spec: {
      ...pick(spec, [
        'nodeName',
        'resources',
        'restartPolicy',
        'priority',
        'priorityClassName',
        'os',
      ]),
      containers: spec.containers.map(projectContainer),
      ...(spec.initContainers && { initContainers: spec.initContainers.map(projectContainer) }),
    },
    ...(status && { status: projectStatus(status) }),
  }
}

const isOurs = (annotation: string): boolean =>
  annotation.startsWith(prefix) ||
  annotation.startsWith(gpuPrefix) ||
  annotation === mirrorAnnotation

function projectMeta({ annotations, ...rest }: ObjectMeta): ObjectMeta {
  const kept = Object.entries(annotations ?? {}).filter(([name]) => isOurs(name))
  return {
    ...pick(rest, [
      'name',
      'namespace',
      'uid',
      'resourceVersion',
      'generation',
      'creationTimestamp',
      'deletionTimestamp',
      'labels',
      'ownerReferences',
    ]),
    ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
  }
}

const projectContainer = (container: Container): Container =>
  pick(container, ['name', 'resources', 'resizePolicy', 'restartPolicy'])

function projectStatus(status: PodStatus): PodStatus {
  const { conditions, containerStatuses, initContainerStatuses } = status
  return {
    ...pick(status, [
      'phase',
      'qosClass',
      'startTime',
      'observedGeneration',
      'resources',
      'allocatedResources',
    ]),
    ...(conditions && { conditions: conditions.map(projectCondition) }),
    ...(containerStatuses && { containerStatuses: containerStatuses.map(projectContainerStatus) }),
    ...(initContainerStatuses && {
      initContainerStatuses: initContainerStatuses.map(projectContainerStatus),
    }),
  }
}

const projectCondition = (condition: PodCondition): PodCondition =>
  pick(condition, [
    'type',
    'status',
    'reason',
    'message',
    'lastTransitionTime',
    'observedGeneration',
  ])

const projectContainerStatus = ({ state, ...rest }: ContainerStatus): ContainerStatus => ({
  ...pick(rest, ['name', 'containerID', 'restartCount', 'resources', 'allocatedResources']),
  ...(state && { state: projectState(state) }),
})

const projectState = ({ running, waiting, terminated }: ContainerState): ContainerState => ({
  ...(running && { running: pick(running, ['startedAt']) }),
  ...(waiting && { waiting: pick(waiting, ['reason']) }),
  ...(terminated && { terminated: pick(terminated, ['reason', 'exitCode']) }),
})

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  const kept: Partial<T> = {}
  for (const key of keys) if (from[key] !== undefined) kept[key] = from[key]
  return kept as Pick<T, K>
}
