import type { PodAllocation, PodAllocationStatus } from '../../apis/pod-allocation.ts'
import { formatMillicores } from '../../core/quantity.ts'
import type { ContainerCpu } from '../../core/resize/plan.ts'
import type { Millicores, Millis } from '../../core/units.ts'
import { type ConditionChange, setCondition, timestamp } from '../../runtime/conditions.ts'

export type Outcome = {
  readonly phase: 'Pending' | 'Applied' | 'Failed'
  readonly reason: string
  readonly message: string
  /** What the kubelet has actuated. */
  readonly actuated: readonly ContainerCpu[]
  readonly attempted: boolean
}

/** The status after an outcome, or nothing when there is nothing new to say. */
export function nextStatus(
  allocation: PodAllocation,
  outcome: Outcome,
  at: Millis,
): PodAllocationStatus | undefined {
  const now = timestamp(at)
  const before = allocation.status ?? {}
  const generation = allocation.metadata.generation
  const fresh = before.observedGeneration !== generation
  const attempts = (fresh ? 0 : (before.attempts ?? 0)) + (outcome.attempted ? 1 : 0)
  const applied = outcome.phase === 'Applied'
  const status: PodAllocationStatus = {
    ...before,
    phase: outcome.phase,
    reason: outcome.reason,
    message: outcome.message,
    attempts,
    ...sums(outcome.actuated),
    containers: outcome.actuated.map(({ name, request, limit }) => ({
      name,
      ...(request !== undefined && { appliedCPURequest: formatMillicores(request) }),
      ...(limit !== undefined && { appliedCPULimit: formatMillicores(limit) }),
    })),
    conditions: setCondition(before.conditions ?? [], conditionOf(outcome, generation, at)),
    ...(generation !== undefined && { observedGeneration: generation }),
    ...(allocation.spec.decision?.price !== undefined && {
      shadowPriceCPU: allocation.spec.decision.price,
    }),
    ...(outcome.attempted && { lastAttemptTime: now }),
    ...(applied && (before.phase !== 'Applied' || fresh) && { lastAppliedTime: now }),
  }
  return JSON.stringify(status) === JSON.stringify(before) ? undefined : status
}

const conditionOf = (
  { phase, reason, message }: Outcome,
  generation: number | undefined,
  at: Millis,
): ConditionChange => ({
  at,
  type: 'Applied',
  status: phase === 'Applied' ? 'True' : 'False',
  reason,
  message,
  ...(generation !== undefined && { observedGeneration: generation }),
})

function sums(containers: readonly ContainerCpu[]): PodAllocationStatus {
  const total = (field: 'request' | 'limit') =>
    containers.reduce((sum, container) => sum + (container[field] ?? 0), 0) as Millicores
  return {
    ...(containers.some(({ request }) => request !== undefined) && {
      appliedCPURequest: formatMillicores(total('request')),
    }),
    ...(containers.some(({ limit }) => limit !== undefined) && {
      appliedCPULimit: formatMillicores(total('limit')),
    }),
  }
}
