/** What the rules of pods read, beyond what the product itself reads. */
import type * as apis from '../../../../apis/pod.ts'
import type { LabelSelector } from '../../../label-selector.ts'
import type { ApiObject } from '../../object.ts'
import type { Labels } from '../validate/labels.ts'

export type Pod = ApiObject<PodSpec, PodStatus> & { readonly spec: PodSpec }

export type PodSpec = Omit<apis.PodSpec, 'containers' | 'initContainers'> & {
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly ephemeralContainers?: readonly EphemeralContainer[]
  readonly volumes?: readonly Volume[]
  readonly overhead?: apis.ResourceList
  readonly dnsPolicy?: string
  readonly dnsConfig?: { readonly nameservers?: readonly string[] }
  readonly schedulerName?: string
  readonly terminationGracePeriodSeconds?: number
  readonly activeDeadlineSeconds?: number
  readonly securityContext?: PodSecurityContext
  readonly enableServiceLinks?: boolean
  readonly serviceAccountName?: string
  readonly serviceAccount?: string
  readonly hostNetwork?: boolean
  readonly hostPID?: boolean
  readonly hostIPC?: boolean
  readonly shareProcessNamespace?: boolean
  readonly hostname?: string
  readonly subdomain?: string
  readonly runtimeClassName?: string
  readonly preemptionPolicy?: string
  readonly nodeSelector?: Labels
  readonly affinity?: Affinity
  readonly tolerations?: readonly Toleration[]
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[]
  readonly schedulingGates?: readonly { readonly name?: string }[]
  readonly readinessGates?: readonly { readonly conditionType?: string }[]
}

export type Container = apis.Container & {
  readonly image?: string
  readonly imagePullPolicy?: string
  readonly terminationMessagePath?: string
  readonly terminationMessagePolicy?: string
  readonly ports?: readonly ContainerPort[]
  readonly env?: readonly EnvVar[]
  readonly envFrom?: readonly EnvFromSource[]
  readonly volumeMounts?: readonly VolumeMount[]
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly lifecycle?: Lifecycle
  readonly securityContext?: SecurityContext
  readonly restartPolicyRules?: readonly unknown[]
}
export type EphemeralContainer = Container & { readonly targetContainerName?: string }

export type ContainerPort = {
  readonly name?: string
  readonly containerPort?: number
  readonly hostPort?: number
  readonly hostIP?: string
  readonly protocol?: string
}

export type EnvVar = {
  readonly name?: string
  readonly value?: string
  readonly valueFrom?: EnvVarSource
}
type EnvVarSource = Refs & {
  readonly configMapKeyRef?: KeyRef
  readonly secretKeyRef?: KeyRef
  readonly fileKeyRef?: {
    readonly key?: string
    readonly volumeName?: string
    readonly path?: string
  }
}
/** To what the pod itself says. */
export type Refs = {
  readonly fieldRef?: FieldRef
  readonly resourceFieldRef?: { readonly resource?: string; readonly divisor?: string }
}
export type FieldRef = { readonly apiVersion?: string; readonly fieldPath?: string }
export type KeyRef = { readonly name?: string; readonly key?: string }
type EnvFromSource = {
  readonly prefix?: string
  readonly configMapRef?: { readonly name?: string }
  readonly secretRef?: { readonly name?: string }
}

export type Handler = {
  readonly exec?: { readonly command?: readonly string[] }
  readonly httpGet?: HttpGet
  readonly tcpSocket?: { readonly port?: number | string }
  readonly grpc?: { readonly port?: number; readonly service?: string }
  readonly sleep?: { readonly seconds?: number }
}
export type HttpGet = {
  readonly path?: string
  readonly port?: number | string
  readonly scheme?: string
  readonly httpHeaders?: readonly { readonly name?: string }[]
}
export type Probe = Handler & {
  readonly initialDelaySeconds?: number
  readonly timeoutSeconds?: number
  readonly periodSeconds?: number
  readonly successThreshold?: number
  readonly failureThreshold?: number
  readonly terminationGracePeriodSeconds?: number
}
export type Lifecycle = {
  readonly postStart?: Handler
  readonly preStop?: Handler
  readonly stopSignal?: string
}

type VolumeMount = {
  readonly name?: string
  readonly mountPath?: string
  readonly subPath?: string
  readonly subPathExpr?: string
}
export type Volume = {
  readonly name?: string
  readonly emptyDir?: { readonly sizeLimit?: string }
  readonly hostPath?: { readonly path?: string; readonly type?: string }
  readonly secret?: {
    readonly secretName?: string
    readonly defaultMode?: number
    readonly items?: readonly KeyToPath[]
  }
  readonly configMap?: {
    readonly name?: string
    readonly defaultMode?: number
    readonly items?: readonly KeyToPath[]
  }
  readonly persistentVolumeClaim?: { readonly claimName?: string }
  readonly downwardAPI?: {
    readonly defaultMode?: number
    readonly items?: readonly Refs[]
  }
  readonly projected?: {
    readonly defaultMode?: number
    readonly sources?: readonly Projection[]
  }
  readonly image?: { readonly reference?: string; readonly pullPolicy?: string }
  /** Of any other kind. */
  readonly [source: string]: unknown
}
export type KeyToPath = { readonly key?: string; readonly path?: string; readonly mode?: number }
type Projection = {
  readonly downwardAPI?: { readonly items?: readonly Refs[] }
  readonly serviceAccountToken?: { readonly expirationSeconds?: number }
}

export type PodSecurityContext = {
  readonly runAsUser?: number
  readonly runAsGroup?: number
  readonly fsGroup?: number
  readonly supplementalGroups?: readonly number[]
  readonly fsGroupChangePolicy?: string
}
type SecurityContext = { readonly runAsUser?: number; readonly runAsGroup?: number }

export type Requirement = {
  readonly key?: string
  readonly operator?: string
  readonly values?: readonly string[]
}
export type NodeSelectorTerm = {
  readonly matchExpressions?: readonly Requirement[]
  readonly matchFields?: readonly Requirement[]
}
export type NodeAffinity = {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: {
    readonly nodeSelectorTerms?: readonly NodeSelectorTerm[]
  }
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight?: number
    readonly preference?: NodeSelectorTerm
  }[]
}
export type PodAffinityTerm = {
  readonly topologyKey?: string
  readonly labelSelector?: LabelSelector
  readonly namespaces?: readonly string[]
  readonly namespaceSelector?: LabelSelector
  readonly matchLabelKeys?: readonly string[]
  readonly mismatchLabelKeys?: readonly string[]
}
export type PodAffinity = {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[]
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight?: number
    readonly podAffinityTerm?: PodAffinityTerm
  }[]
}
export type Affinity = {
  readonly nodeAffinity?: NodeAffinity
  readonly podAffinity?: PodAffinity
  readonly podAntiAffinity?: PodAffinity
}
export type Toleration = {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}
export type TopologySpreadConstraint = {
  readonly maxSkew?: number
  readonly topologyKey?: string
  readonly whenUnsatisfiable?: string
  readonly labelSelector?: LabelSelector
  readonly minDomains?: number
  readonly nodeAffinityPolicy?: string
  readonly nodeTaintsPolicy?: string
  readonly matchLabelKeys?: readonly string[]
}

export type PodStatus = Omit<
  apis.PodStatus,
  'conditions' | 'containerStatuses' | 'initContainerStatuses'
> & {
  readonly reason?: string
  readonly nominatedNodeName?: string
  readonly podIP?: string
  readonly podIPs?: readonly { readonly ip: string }[]
  readonly conditions?: readonly PodCondition[]
  readonly containerStatuses?: readonly ContainerStatus[]
  readonly initContainerStatuses?: readonly ContainerStatus[]
}
export type PodCondition = apis.PodCondition & { readonly lastProbeTime?: null }
export type ContainerStatus = Omit<apis.ContainerStatus, 'state'> & {
  readonly ready?: boolean
  readonly started?: boolean
  readonly state?: ContainerState
  readonly lastState?: ContainerState
}
export type ContainerState = Omit<apis.ContainerState, 'terminated'> & {
  readonly terminated?: {
    readonly reason?: string
    readonly exitCode?: number
    readonly signal?: number
    readonly finishedAt?: string
  }
}

/** The server hands out objects of any kind; the rules of pods only ever see pods. */
export const asPod = (object: ApiObject): Pod => object as Pod
