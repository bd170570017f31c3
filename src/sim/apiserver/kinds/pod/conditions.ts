import { timeOf } from '../../../timestamps.ts'
import type { PodCondition, PodStatus } from './types.ts'

/** The time changes only with the status of the condition. */
export function withCondition(status: PodStatus, condition: PodCondition, now: number): PodStatus {
  const { conditions = [] } = status
  const old = conditions.find(({ type }) => type === condition.type)
  const lastTransitionTime =
    old?.lastTransitionTime !== undefined && old.status === condition.status
      ? old.lastTransitionTime
      : timeOf(now)
  const next: PodCondition = { ...condition, lastProbeTime: null, lastTransitionTime }
  return {
    ...status,
    conditions: old ? conditions.map((one) => (one === old ? next : one)) : [...conditions, next],
  }
}
