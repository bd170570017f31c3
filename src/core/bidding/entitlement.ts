/**
 * What is a pod's by right, whatever its neighbours weigh and however many they are: mbcas.io/min-cpu
 * where its owner set it, else what it requested, as its owner wrote it. A floor above the request
 * counts only as far as an administrator allows its namespace.
 *
 * Requests that were lowered let more pods come than were requested for: where all entitlements
 * together are more than there is, each counts for the same part.
 *
 *   requested  min-cpu  namespace allows    entitled to
 *   500m                                    500m
 *   500m       200m                         200m
 *   500m       800m                         500m
 *   500m       800m     600m                600m
 */
import { formatMillicores } from '../quantity.ts'
import type { Millicores } from '../units.ts'
import type { NodePod } from './pod.ts'
import { requestedBy } from './weights.ts'

/** Before it is made to fit the node. */
function wholeEntitlementOf(pod: NodePod): number {
  const { minCpu } = pod.wishes
  return minCpu === undefined ? requestedBy(pod) : Math.min(minCpu, mostFloorOf(pod))
}

const mostFloorOf = (pod: NodePod): Millicores =>
  Math.max(pod.maxMinCpu ?? 0, requestedBy(pod)) as Millicores

/** The part of every entitlement that there is CPU for. */
export function entitledRatioOf(pods: readonly NodePod[], room: number): number {
  const wanted = pods.reduce((sum, pod) => sum + wholeEntitlementOf(pod), 0)
  return Math.min(1, room / Math.max(1, wanted))
}

export const entitlementOf = (pod: NodePod, entitledRatio: number): Millicores =>
  Math.floor(wholeEntitlementOf(pod) * entitledRatio) as Millicores

/** In words, where its own floor counts for less than it says. */
export function floorCutOf(pod: NodePod): string | undefined {
  const { minCpu = 0 as Millicores } = pod.wishes
  const most = mostFloorOf(pod)
  if (minCpu <= most) return undefined
  const which = most === pod.maxMinCpu ? 'its namespace allows' : 'it requested'
  const [asked, counted] = [formatMillicores(minCpu), formatMillicores(most)]
  return `min-cpu ${asked} is above the ${counted} that ${which}: counted as ${counted}`
}
