/**
 * What is a pod's by right, whatever its neighbours weigh and however many they are: mbcas.io/min-cpu
 * where its owner set it, else what it requested, as its owner wrote it. A floor above the request
 * counts only as far as an administrator allows its namespace.
 *
 * Requests that were lowered let more pods come than were requested for. Where all entitlements together
 * are more than there is, each keeps what its request is now, for that fits; the rest is whose who came
 * first. Otherwise pods that come, request much and sleep would take from those that were there.
 *
 *   requested  min-cpu  namespace allows    entitled to
 *   500m                                    500m
 *   500m       200m                         200m
 *   500m       800m                         500m
 *   500m       800m     600m                600m
 *
 *   room 2000m; requested, request now: 1500m, 100m; then 1500m, 300m  ->  1500m, 500m
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

/** What its owner set as its floor, as far as that counts; 0 where nobody did. */
export const floorSetOf = (pod: NodePod): number =>
  Math.min(pod.wishes.minCpu ?? 0, mostFloorOf(pod))

/** By UID, as far as there is room. O(n log n). */
export function entitlementsOf(
  pods: readonly NodePod[],
  room: Millicores,
): ReadonlyMap<string, Millicores> {
  const whole = pods.map(wholeEntitlementOf)
  const promised = pods.map((pod, i) => Math.min(whole[i] ?? 0, requestNow(pod)))
  const fits = (amounts: readonly number[]) => Math.min(1, room / Math.max(1, sumOf(amounts)))
  const isEnough = fits(whole) === 1
  const own = isEnough ? whole : promised.map((amount) => Math.floor(amount * fits(promised)))
  let left = isEnough ? 0 : room - sumOf(own)
  const entitled = new Map<string, Millicores>()
  const order = pods.map((pod, i) => ({ pod, i })).toSorted((a, b) => inTurn(a.pod, b.pod))
  for (const { pod, i } of order) {
    const more = Math.min(left, (whole[i] ?? 0) - (own[i] ?? 0))
    left -= more
    entitled.set(pod.uid, ((own[i] ?? 0) + more) as Millicores)
  }
  return entitled
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, one) => sum + one, 0)

const requestNow = ({ containers }: NodePod): number =>
  containers.reduce((sum, { request = 0 }) => sum + request, 0)

/** Who came first; one whose kubelet has not said when it came is last. */
function inTurn(a: NodePod, b: NodePod): number {
  const [one, other] = [a.cameAt ?? Infinity, b.cameAt ?? Infinity]
  if (one !== other) return one < other ? -1 : 1
  return a.uid < b.uid ? -1 : 1
}

/** In words, where its own floor counts for less than it says. */
export function floorCutOf(pod: NodePod): string | undefined {
  const { minCpu = 0 as Millicores } = pod.wishes
  const most = mostFloorOf(pod)
  if (minCpu <= most) return undefined
  const which = most === pod.maxMinCpu ? 'its namespace allows' : 'it requested'
  const [asked, counted] = [formatMillicores(minCpu), formatMillicores(most)]
  return `min-cpu ${asked} is above the ${counted} that ${which}: counted as ${counted}`
}
