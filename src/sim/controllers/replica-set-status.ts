/** What a ReplicaSet tells of its pods. */
import type { Refusal } from '../apiserver/refusal.ts'
import { matchesLabels } from '../label-selector.ts'
import { timeOf } from '../timestamps.ts'
import { withCondition, withoutCondition } from './conditions.ts'
import type { ReplicaSet, ReplicaSetStatus } from './replica-set-object.ts'
import { availableIn, isActive, isReady, isTerminating, type PodObject } from './workload.ts'

export function replicaSetStatus(
  { metadata, spec, status }: ReplicaSet,
  seen: {
    readonly pods: readonly PodObject[]
    /** What kept it from creating or deleting. */
    readonly failure: Refusal | undefined
    readonly now: number
  },
): ReplicaSetStatus {
  const { pods, failure, now } = seen
  const active = pods.filter(isActive)
  const matchLabels = spec?.template.metadata?.labels ?? {}
  const labeled = active.filter((pod) => matchesLabels({ matchLabels }, pod.metadata.labels)).length
  const ready = active.filter(isReady)
  const { minReadySeconds } = spec ?? {}
  const available = ready.filter((pod) => availableIn(pod, { minReadySeconds, now }) === 0).length
  const conditions = conditionsAfter(status?.conditions, failure, {
    now,
    isShort: active.length < (spec?.replicas ?? 1),
  })
  return {
    replicas: active.length,
    ...(labeled > 0 && { fullyLabeledReplicas: labeled }),
    ...(ready.length > 0 && { readyReplicas: ready.length }),
    ...(available > 0 && { availableReplicas: available }),
    terminatingReplicas: pods.filter(isTerminating).length,
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...(conditions.length > 0 && { conditions }),
  }
}

function conditionsAfter(
  conditions: ReplicaSetStatus['conditions'],
  failure: Refusal | undefined,
  { now, isShort }: { readonly now: number; readonly isShort: boolean },
) {
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure')
  const reason = isShort ? 'FailedCreate' : 'FailedDelete'
  const { message } = failure
  const next = { type: 'ReplicaFailure', status: 'True', reason, message } as const
  return withCondition(conditions, next, { now: timeOf(now) })
}
