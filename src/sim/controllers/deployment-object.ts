/** The parts of a Deployment that its controller reads and writes, and what follows from them. */
import type { ApiObject } from '../apiserver/object.ts'
import type { ReplicaSet } from './replica-set-object.ts'
import { bounds } from './rollout.ts'
import type { Condition, WorkloadSpec } from './workload.ts'

export type DeploymentStatus = {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly updatedReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly unavailableReplicas?: number
  readonly terminatingReplicas?: number
  readonly collisionCount?: number
  readonly conditions?: readonly Condition[]
}
export type Deployment = ApiObject<
  WorkloadSpec & {
    readonly paused?: boolean
    readonly revisionHistoryLimit?: number
    readonly progressDeadlineSeconds?: number
    readonly strategy?: {
      readonly type?: string
      readonly rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string }
    }
  },
  DeploymentStatus
>

const prefix = 'deployment.kubernetes.io'
export const revisionAnnotation = `${prefix}/revision`
export const historyAnnotation = `${prefix}/revision-history`
/** What the Deployment asked for when the set was last sized, and that with its surge. */
export const desiredAnnotation = `${prefix}/desired-replicas`
export const maxAnnotation = `${prefix}/max-replicas`

export const replicasOf = ({ spec }: Deployment | ReplicaSet): number => spec?.replicas ?? 1

export const isRecreating = ({ spec }: Deployment): boolean => spec?.strategy?.type === 'Recreate'

export function boundsOf(deployment: Deployment) {
  if (isRecreating(deployment)) return { maxSurge: 0, maxUnavailable: 0 }
  const wanted = replicasOf(deployment)
  const { maxSurge, maxUnavailable } = bounds(
    deployment.spec?.strategy?.rollingUpdate ?? {},
    wanted,
  )
  return { maxSurge, maxUnavailable: Math.min(maxUnavailable, wanted) }
}

export const revisionOf = ({ metadata }: ApiObject): number =>
  Number(metadata.annotations?.[revisionAnnotation] ?? 0)

/** Undefined if it is not there, or was tampered with. */
export function countIn({ metadata }: ReplicaSet, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation] ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** The largest int32 stands for no deadline. */
export const deadlineOf = ({ spec }: Deployment): number | undefined =>
  spec?.progressDeadlineSeconds === 2_147_483_647 ? undefined : spec?.progressDeadlineSeconds

export const progressOf = ({ status }: Deployment): Condition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Progressing')

/** Oldest first. */
export const byAge = (a: ApiObject, b: ApiObject): number =>
  Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp) ||
  (a.metadata.name < b.metadata.name ? -1 : 1)
