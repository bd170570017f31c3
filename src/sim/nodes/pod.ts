/** The parts of a Pod that simulated kubelets and the scheduler read or write. */
import type {
  Container,
  ContainerStatus,
  PodCondition,
  PodSpec,
  PodStatus,
  ResourceList,
} from '../../apis/pod.ts'
import type { ApiObject } from '../apiserver/object.ts'
import type { LabelSelector } from '../label-selector.ts'

export type Toleration = {
  readonly key?: string
  readonly operator?: 'Exists' | 'Equal' | 'Lt' | 'Gt'
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}

export type NodeSelectorTerm = {
  readonly matchExpressions?: readonly NodeRequirement[]
  readonly matchFields?: readonly NodeRequirement[]
}
export type NodeRequirement = {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'
  readonly values?: readonly string[]
}

export type AffinityTerm = {
  readonly labelSelector?: LabelSelector
  readonly namespaces?: readonly string[]
  readonly topologyKey: string
}
type Required<T> = { readonly requiredDuringSchedulingIgnoredDuringExecution?: T }

export type SpreadConstraint = {
  readonly maxSkew: number
  readonly topologyKey: string
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'
  readonly labelSelector?: LabelSelector
}

export type SimContainer = Container & {
  readonly image?: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly readinessProbe?: { readonly initialDelaySeconds?: number }
  readonly startupProbe?: { readonly initialDelaySeconds?: number }
  readonly volumeMounts?: readonly {
    readonly name: string
    readonly mountPath: string
    readonly readOnly?: boolean
  }[]
}

export type SimPodSpec = Omit<PodSpec, 'containers' | 'initContainers'> & {
  readonly containers: readonly SimContainer[]
  readonly initContainers?: readonly SimContainer[]
  readonly overhead?: ResourceList
  readonly schedulerName?: string
  readonly schedulingGates?: readonly { readonly name: string }[]
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly affinity?: {
    readonly nodeAffinity?: Required<{ readonly nodeSelectorTerms: readonly NodeSelectorTerm[] }>
    readonly podAffinity?: Required<readonly AffinityTerm[]>
    readonly podAntiAffinity?: Required<readonly AffinityTerm[]>
  }
  readonly tolerations?: readonly Toleration[]
  readonly topologySpreadConstraints?: readonly SpreadConstraint[]
  readonly preemptionPolicy?: string
  readonly hostNetwork?: boolean
  readonly activeDeadlineSeconds?: number
  readonly terminationGracePeriodSeconds?: number
}

export type SimPodStatus = Omit<PodStatus, 'containerStatuses' | 'initContainerStatuses'> & {
  readonly conditions?: readonly SimPodCondition[]
  readonly reason?: string
  readonly message?: string
  readonly nominatedNodeName?: string
  readonly hostIP?: string
  readonly hostIPs?: readonly { readonly ip: string }[]
  readonly podIP?: string
  readonly podIPs?: readonly { readonly ip: string }[]
  readonly containerStatuses?: readonly SimContainerStatus[]
  readonly initContainerStatuses?: readonly SimContainerStatus[]
}

export type SimPodCondition = PodCondition & { readonly lastProbeTime?: string | null }

export type Terminated = {
  readonly exitCode: number
  readonly reason: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly containerID: string
}
export type ContainerState =
  | { readonly waiting: { readonly reason: string; readonly message?: string } }
  | { readonly running: { readonly startedAt: string } }
  | { readonly terminated: Terminated }

export type SimContainerStatus = Omit<ContainerStatus, 'state'> & {
  readonly state: ContainerState
  readonly lastState: { readonly terminated?: Terminated }
  readonly ready: boolean
  readonly started: boolean
  readonly image: string
  readonly imageID: string
}

export type SimPod = ApiObject<SimPodSpec, SimPodStatus> & { readonly spec: SimPodSpec }

export const isEnded = ({ status }: SimPod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed'
