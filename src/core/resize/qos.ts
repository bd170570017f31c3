/**
 * The class of a pod never changes by a resize; the API server refuses it. Objective: to know before.
 * Method: by the rules of Kubernetes, of which a resize of CPU can touch these:
 *
 *   class        stays, while                                         else becomes
 *   BestEffort   no container has a request or a limit                Burstable
 *   Guaranteed   every container has a request and a limit as large   Burstable
 *   Burstable    one container has not, or one's memory               Guaranteed
 */
import type { Millicores } from '../units.ts'
import { joinCpu, ofName } from './containers.ts'
import type { Grid } from './quantise.ts'
import type { ContainerCpu, PodCpu } from './types.ts'

/** Which class the pod would get, if another. */
export function newClassOf(
  pod: PodCpu,
  wish: readonly ContainerCpu[],
): 'Burstable' | 'Guaranteed' | undefined {
  const after = joinCpu(pod.spec, wish)
  if (pod.qosClass === 'Guaranteed') return after.every(isTied) ? undefined : 'Burstable'
  if (pod.qosClass === 'BestEffort') return after.some(hasCpu) ? 'Burstable' : undefined
  // All tied, and still Burstable: then it is the memory, which no resize of CPU changes.
  const isHeldByMemory = pod.memoryIsGuaranteed === false || pod.spec.every(isTied)
  return !isHeldByMemory && after.every(isTied) ? 'Guaranteed' : undefined
}

const isTied = ({ request, limit }: ContainerCpu): boolean =>
  request !== undefined && request === limit

const hasCpu = ({ request, limit }: ContainerCpu): boolean => (request ?? 0) + (limit ?? 0) > 0

/**
 * A step on the way to a wish that keeps the class may itself not keep it: request and limit of the
 * last container meet. Then one request rises by 1m less, or one limit falls by one step less.
 *
 *   100/100m towards 300/600m, a factor of 2   ->  200/200m  ->  199/200m
 */
export function keepBurstable(
  pod: PodCpu,
  { wish, grid }: { readonly wish: readonly ContainerCpu[]; readonly grid: Grid },
): readonly ContainerCpu[] {
  if (newClassOf(pod, wish) !== 'Guaranteed') return wish
  for (const { name, request, limit } of wish) {
    const has = ofName(pod.spec, name)
    if (request !== undefined && request > (has?.request ?? 0)) {
      return joinCpu(wish, [{ name, request: (request - 1) as Millicores, limit }])
    }
    if (limit !== undefined && limit + grid.limit.step <= (has?.limit ?? 0)) {
      const higher = (limit + grid.limit.step) as Millicores
      return joinCpu(wish, [{ name, request, limit: higher }])
    }
  }
  return wish
}
