import type { LimitRange } from '../../apis/limit-range.ts'
import { cpuIn } from '../../apis/pod.ts'
import type { CpuRange } from '../../core/bidding/pod.ts'
import type { Millicores } from '../../core/units.ts'

/**
 * What the LimitRanges of a namespace let a pod have, of so many containers that ask for CPU. All of
 * them must hold, so the narrowest counts. What the pod must ask for together each container asks
 * for in equal part: it holds whatever their needs are.
 *
 *   max, min of      Container    Pod        2 containers: pod  container  least
 *                    1, 50m       3, 300m  ->              3    1          150m
 *                    -, 200m      -, 300m  ->              -    -          200m
 *                    -            -        ->              no range
 *
 * A ratio of limit to request that holds for every container holds for their sums, and so counts for
 * both types.
 */
export function rangeOf(
  limitRanges: readonly LimitRange[],
  containers: number,
): CpuRange | undefined {
  const limits = limitRanges.flatMap(({ spec }) => spec?.limits ?? [])
  const bounds = (
    type: 'Container' | 'Pod',
    side: 'max' | 'min' | 'maxLimitRequestRatio',
  ): Millicores[] =>
    limits.filter((limit) => limit.type === type).flatMap((limit) => cpuIn(limit[side]) ?? [])
  const least = Math.max(
    0,
    ...bounds('Container', 'min'),
    ...bounds('Pod', 'min').map((together) => Math.ceil(together / Math.max(1, containers))),
  )
  const pod = leastOf(bounds('Pod', 'max'))
  const container = leastOf(bounds('Container', 'max'))
  const ratio = leastOf([
    ...bounds('Container', 'maxLimitRequestRatio'),
    ...bounds('Pod', 'maxLimitRequestRatio'),
  ])
  if ([pod, container, ratio].every((bound) => bound === undefined) && least === 0) return undefined
  const limitRatio = ratio === undefined ? undefined : Math.max(1, ratio / 1000)
  return { pod, container, least: least as Millicores, limitRatio }
}

const leastOf = (amounts: readonly Millicores[]): Millicores | undefined =>
  amounts.length === 0 ? undefined : (Math.min(...amounts) as Millicores)
