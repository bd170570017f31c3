/**
 * Objective: no resize changes an amount by more than a factor, and yet each gets nearer.
 * Method: clamped to [actuated / factor, actuated x factor], rounded towards what is there, but by one
 * step of the grid at least. From a to b it takes ceil(log(b / a) / log(factor)) resizes.
 * Complexity: O(containers).
 *
 *   actuated 100m, 1000m asked, factor 2    ->  200m, then 400m, 800m, 1000m
 *   actuated 1000m, 100m asked, factor 2    ->  500m, then 250m, 130m, 100m
 *   actuated 10m, 20m asked, factor 1.1     ->  20m, one step of the systemd driver
 */
import type { Millicores } from '../units.ts'
import { ofName } from './containers.ts'
import { type Grid, roundDown, roundUp } from './quantise.ts'
import { type ContainerCpu, cpuFields, type PodCpu } from './types.ts'

type Stepping = { readonly pod: PodCpu; readonly factor: number; readonly grid: Grid }

export function clampStep(
  wish: readonly ContainerCpu[],
  { pod, factor, grid }: Stepping,
): readonly ContainerCpu[] {
  const isInfeasible = pod.pending?.state === 'Infeasible'
  return wish.map((container) => {
    const { name } = container
    const [request, limit] = cpuFields.map((field) => {
      const amount = container[field]
      const asked = ofName(pod.spec, name)?.[field]
      // Until the kubelet tells, what was asked of it is all that is known.
      const from = ofName(pod.actuated, name)?.[field] ?? asked
      if (amount === undefined || from === undefined) return amount
      const start = roundUp(from, grid[field])
      const { step } = grid[field]
      // What is under way is not taken back for being a large step.
      const underWay = isInfeasible ? start : (asked ?? start)
      const most = Math.max(roundDown(start * factor, grid[field]), start + step, underWay)
      const least = Math.min(roundUp(start / factor, grid[field]), start - step, underWay)
      return Math.min(most, Math.max(least, amount)) as Millicores
    })
    return { name, request, limit }
  })
}
