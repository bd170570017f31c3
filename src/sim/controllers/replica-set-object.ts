/** The parts of a ReplicaSet that controllers read and write. */
import type { ApiObject } from '../apiserver/object.ts'
import type { Condition, WorkloadSpec } from './workload.ts'

export type ReplicaSetStatus = {
  readonly replicas: number
  readonly fullyLabeledReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly terminatingReplicas?: number
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
}
export type ReplicaSet = ApiObject<WorkloadSpec, ReplicaSetStatus>
