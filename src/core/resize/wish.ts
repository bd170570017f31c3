/**
 * What is asked of a pod as Kubernetes could do it: only what its containers have already, on the grid,
 * a request never above its limit, both one amount in a Guaranteed pod, and no request where a
 * HorizontalPodAutoscaler measures by it.
 *
 *   has 100/200m   asked 300/200m              ->  300/300m
 *   has 100m/none  asked 200/400m              ->  200m and no limit: it could not be taken away again
 *   has 100/200m   asked 50/50m, HPA on CPU    ->  limit 100m: the request stays
 */
import type { Millicores } from '../units.ts'
import { describeCut, ofName } from './containers.ts'
import { type Grid, gridOf, quantise, roundUp } from './quantise.ts'
import { type ContainerCpu, cpuFields, type PodCpu, type ResizeQuestion } from './types.ts'

export type Wish = {
  readonly containers: readonly ContainerCpu[]
  readonly grid: Grid
  /** What became of it that was not asked for, for the operator. */
  readonly notes: readonly string[]
}

export function readWish(pod: PodCpu, question: ResizeQuestion): Wish {
  const { desired, horizontalAutoscaler, node } = question
  const isGuaranteed = pod.qosClass === 'Guaranteed'
  const grid = gridOf({ limitStep: node?.limitStep, isGuaranteed })
  const notes: string[] = []
  const containers = desired.flatMap(({ name, ...asked }) => {
    const has = ofName(pod.spec, name)
    if (has === undefined) return []
    const wanted = { name, ...asked }
    for (const field of cpuFields) {
      if (wanted[field] === undefined || has[field] !== undefined) continue
      wanted[field] = undefined
      notes.push(`${name} has no ${field} and gets none: it could not be taken away again`)
    }
    if (horizontalAutoscaler !== undefined && wanted.request !== undefined) {
      if (wanted.request !== has.request) notes.push(requestStays(name, horizontalAutoscaler))
      wanted.request = undefined
    }
    if (wanted.request === undefined && wanted.limit === undefined) return []
    const rounded = keepSame(quantise(isGuaranteed ? tie(wanted) : wanted, grid), { has, grid })
    const ordered = order(rounded, { has, grid })
    const moved = describeCut([rounded], [ordered])
    if (moved !== '') notes.push(`a limit is never below its request: ${moved}`)
    return [ordered]
  })
  return { containers, grid, notes }
}

const requestStays = (name: string, autoscaler: string): string =>
  `the request of ${name} stays: HorizontalPodAutoscaler "${autoscaler}" measures CPU by it`

function tie({ name, request, limit }: ContainerCpu): ContainerCpu {
  const amount = Math.max(request ?? 0, limit ?? 0) as Millicores
  return { name, request: amount, limit: amount }
}

type Against = { readonly has: ContainerCpu; readonly grid: Grid }

/** What the kernel cannot tell from what is asked stays as it was written. */
function keepSame({ name, ...wanted }: ContainerCpu, { has, grid }: Against): ContainerCpu {
  const [request, limit] = cpuFields.map((field) => {
    const [amount, now] = [wanted[field], has[field]]
    const isSame = now !== undefined && amount === roundUp(now, grid[field])
    return isSame ? now : amount
  })
  return { name, request, limit }
}

/** Of a request above its limit, the limit gives way; where that is not asked for, the request. */
function order({ name, request, limit }: ContainerCpu, { has, grid }: Against): ContainerCpu {
  const least = request ?? has.request ?? 0
  if (limit !== undefined) {
    return { name, request, limit: least <= limit ? limit : roundUp(least, grid.limit) }
  }
  return { name, request: Math.min(least, has.limit ?? Infinity) as Millicores, limit }
}

/** After a rule has taken from a wish: the request follows its limit down. */
export function settle(
  containers: readonly ContainerCpu[],
  { pod, grid }: { readonly pod: PodCpu; readonly grid: Grid },
): readonly ContainerCpu[] {
  return containers.map((container) => {
    const { name, request, limit } = container
    const has = ofName(pod.spec, name)
    const least = request ?? has?.request ?? 0
    const most = limit ?? has?.limit ?? Infinity
    const lesser = Math.min(least, most) as Millicores
    if (pod.qosClass === 'Guaranteed') return { name, request: lesser, limit: lesser }
    if (least <= most) return container
    return request === undefined
      ? { name, request, limit: roundUp(least, grid.limit) }
      : { name, request: lesser, limit }
  })
}
