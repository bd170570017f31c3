/** Conditions of a status: the time moves only when the status does, and nothing for a message alone. */
import type { Condition } from './workload.ts'

export function withCondition(
  conditions: readonly Condition[] | undefined,
  next: Omit<Condition, 'lastTransitionTime' | 'lastUpdateTime'>,
  { now, tellsUpdates = false }: { readonly now: string; readonly tellsUpdates?: boolean },
): readonly Condition[] {
  const old = conditions?.find(({ type }) => type === next.type)
  if (old !== undefined && old.status === next.status && old.reason === next.reason) {
    return conditions ?? []
  }
  const condition: Condition = {
    ...next,
    lastTransitionTime: old?.status === next.status ? (old.lastTransitionTime ?? now) : now,
    ...(tellsUpdates && { lastUpdateTime: now }),
  }
  return [...(conditions ?? []).filter(({ type }) => type !== next.type), condition]
}

export const withoutCondition = (
  conditions: readonly Condition[] | undefined,
  type: string,
): readonly Condition[] => (conditions ?? []).filter((one) => one.type !== type)
