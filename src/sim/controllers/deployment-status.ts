/** What a Deployment tells of its pods: the numbers, and whether enough of them are available. */
import { timeOf } from '../timestamps.ts'
import { withCondition } from './conditions.ts'
import {
  boundsOf,
  type Deployment,
  type DeploymentStatus,
  replicasOf,
} from './deployment-object.ts'
import type { ReplicaSet } from './replica-set-object.ts'

export type Counted = {
  readonly fresh: ReplicaSet | undefined
  /** With the fresh one. */
  readonly sets: readonly ReplicaSet[]
  readonly now: number
}

export function statusOf(deployment: Deployment, { fresh, sets, now }: Counted): DeploymentStatus {
  const { metadata, status } = deployment
  const wanted = sets.reduce((total, set) => total + replicasOf(set), 0)
  const available = sum(sets, 'availableReplicas')
  const counts = {
    replicas: sum(sets, 'replicas'),
    updatedReplicas: fresh?.status?.replicas ?? 0,
    readyReplicas: sum(sets, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
  }
  const isEnough = available >= replicasOf(deployment) - boundsOf(deployment).maxUnavailable
  return {
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    terminatingReplicas: sum(sets, 'terminatingReplicas'),
    ...(status?.collisionCount !== undefined && { collisionCount: status.collisionCount }),
    conditions: withCondition(
      status?.conditions,
      { type: 'Available', ...(isEnough ? enough : tooFew) },
      { now: timeOf(now), tellsUpdates: true },
    ),
  }
}

const enough = {
  status: 'True',
  reason: 'MinimumReplicasAvailable',
  message: 'Deployment has minimum availability.',
} as const
const tooFew = {
  status: 'False',
  reason: 'MinimumReplicasUnavailable',
  message: 'Deployment does not have minimum availability.',
} as const

type Field = 'replicas' | 'availableReplicas' | 'readyReplicas' | 'terminatingReplicas'

const sum = (sets: readonly ReplicaSet[], field: Field): number =>
  sets.reduce((total, { status }) => total + (status?.[field] ?? 0), 0)
