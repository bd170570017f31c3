import type { Condition } from '../apis/object.ts'
import type { Millis } from '../core/units.ts'

/** What a condition shall say; `at` is the wall clock. */
export type ConditionChange = Omit<Condition, 'lastTransitionTime'> & { readonly at: Millis }

/**
 * The list with this condition in it, in its old place if it had one. The transition time moves only
 * when the status does; when nothing is new the list itself comes back, so that `===` tells whether
 * there is anything to write.
 */
export function setCondition(
  conditions: readonly Condition[],
  { at, ...said }: ConditionChange,
): readonly Condition[] {
  const old = conditions.find(({ type }) => type === said.type)
  if (old === undefined) return [...conditions, { ...said, lastTransitionTime: timestamp(at) }]
  const lastTransitionTime = old.status === said.status ? old.lastTransitionTime : timestamp(at)
  if (
    old.status === said.status &&
    old.reason === said.reason &&
    old.message === said.message &&
    old.observedGeneration === said.observedGeneration
  ) {
    return conditions
  }
  return conditions.map((each) => (each === old ? { ...said, lastTransitionTime } : each))
}

/** `Time` of the API: whole seconds. */
export const timestamp = (wall: Millis): string => `${new Date(wall).toISOString().slice(0, 19)}Z`
