import { millicoresIn, type PodAllocation } from '../../apis/pod-allocation.ts'
import type { ContainerCpu } from '../../core/resize/types.ts'
import { type Millicores, split } from '../../core/units.ts'

/** What each container should have; sums are split as the containers share them now. */
export function desiredCpu(
  { spec }: PodAllocation,
  now: readonly ContainerCpu[],
): readonly ContainerCpu[] {
  if (spec.containers !== undefined && spec.containers.length > 0) {
    return spec.containers.map(({ name, desiredCPURequest, desiredCPULimit }) => ({
      name,
      request: amount(desiredCPURequest),
      limit: amount(desiredCPULimit),
    }))
  }
  const requests = splitLike(amount(spec.desiredCPURequest), now, 'request')
  const limits = splitLike(amount(spec.desiredCPULimit), now, 'limit')
  return now.map(({ name }, i) => ({ name, request: requests[i], limit: limits[i] }))
}

const amount = (quantity: string | number | undefined): Millicores | undefined =>
  quantity === undefined ? undefined : millicoresIn(quantity)

function splitLike(
  total: Millicores | undefined,
  containers: readonly ContainerCpu[],
  field: 'request' | 'limit',
): readonly (Millicores | undefined)[] {
  const shares = containers.map((container) => container[field] ?? 0)
  if (total === undefined || shares.every((share) => share === 0)) return []
  const parts = split(total, shares)
  // What has no value of its own now gets none: a limit could not be taken away again.
  return parts.map((part, i) => (containers[i]?.[field] === undefined ? undefined : part))
}
