/** Which taints a pod bears. */
import type { Taint } from './node.ts'
import type { Toleration } from './pod.ts'

const bears = (toleration: Toleration, taint: Taint): boolean => {
  const { key = '', operator = 'Equal', value = '', effect = '' } = toleration
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  if (operator === 'Exists') return true
  return operator === 'Equal' && key !== '' && value === (taint.value ?? '')
}

export const tolerates = (tolerations: readonly Toleration[], taint: Taint): boolean =>
  tolerations.some((one) => bears(one, taint))

/** The first taint that keeps the pod away from the node. */
export const untolerated = (
  tolerations: readonly Toleration[] = [],
  taints: readonly Taint[] = [],
): Taint | undefined =>
  taints.find((taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(tolerations, taint))

/**
 * Seconds for which the pod stays on a node with these NoExecute taints: 0 is not at all, Infinity
 * for ever. Of several tolerations the shortest counts.
 */
export function secondsToStay(
  tolerations: readonly Toleration[] = [],
  taints: readonly Taint[],
): number {
  let shortest = Infinity
  for (const taint of taints) {
    if (taint.effect !== 'NoExecute') continue
    const bearing = tolerations.filter((one) => bears(one, taint))
    if (bearing.length === 0) return 0
    for (const { tolerationSeconds = Infinity } of bearing) {
      shortest = Math.min(shortest, Math.max(0, tolerationSeconds))
    }
  }
  return shortest
}
