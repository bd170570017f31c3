/** The parts of pods and of their owners that the controllers read. */
import type { OwnerReference } from '../../apis/object.ts'
import type { ApiObject, Meta } from '../apiserver/object.ts'
import type { LabelSelector } from '../label-selector.ts'

/** In managedFields of what any controller writes. */
export const manager = 'kube-controller-manager'

export type PodTemplate = {
  readonly metadata?: Partial<Meta>
  readonly spec: { readonly [field: string]: unknown }
}

export type Condition = {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly lastUpdateTime?: string
}

type ContainerState = {
  readonly restartCount?: number
  readonly state?: { readonly terminated?: { readonly finishedAt?: string } }
}

export type PodObject = ApiObject<
  { readonly nodeName?: string; readonly activeDeadlineSeconds?: number },
  {
    readonly phase?: string
    readonly conditions?: readonly Condition[]
    readonly containerStatuses?: readonly ContainerState[]
    readonly initContainerStatuses?: readonly ContainerState[]
    readonly startTime?: string
  }
>

/** What a ReplicaSet, a Deployment and a DaemonSet have in common. */
export type WorkloadSpec = {
  readonly replicas?: number
  readonly minReadySeconds?: number
  readonly selector: LabelSelector
  readonly template: PodTemplate
}

export const controllerOf = ({ metadata }: ApiObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)

export const ownerRefTo = ({ apiVersion, kind, metadata }: ApiObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
})

export const isEnded = ({ status }: PodObject): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed'

export const isActive = (pod: PodObject): boolean =>
  !isEnded(pod) && pod.metadata.deletionTimestamp === undefined

/** Told to go, and not yet ended. */
export const isTerminating = (pod: PodObject): boolean =>
  !isEnded(pod) && pod.metadata.deletionTimestamp !== undefined

const readyCondition = ({ status }: PodObject): Condition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')

export const isReady = (pod: PodObject): boolean => readyCondition(pod)?.status === 'True'

/** Since when it is ready, in milliseconds since 1970. */
export function readySince(pod: PodObject): number | undefined {
  const condition = readyCondition(pod)
  if (condition?.status !== 'True') return undefined
  return Date.parse(condition.lastTransitionTime ?? '')
}

/** How long until it counts as available: 0 if it does, undefined if it is not even ready. */
export function availableIn(
  pod: PodObject,
  {
    minReadySeconds = 0,
    now,
  }: { readonly minReadySeconds?: number | undefined; readonly now: number },
): number | undefined {
  const since = readySince(pod)
  return since === undefined ? undefined : Math.max(0, since + minReadySeconds * 1000 - now)
}
