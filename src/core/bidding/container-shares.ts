/** A pod's request and limit become its containers', by what each could use. */
import { clearMarket } from '../market/clear.ts'
import { type Millicores, split } from '../units.ts'
import type { CpuRange, NodePod, PodContainer } from './pod.ts'

/** The kubelet's smallest quota is 1 ms of 100; and 0 would mean no limit at all. */
const SMALLEST_LIMIT = 10

/** Of the limit, what is promised at most. */
export const REQUEST_RATIO = { short: 0.95, enough: 0.75 }

/** Of a container: room above the least that a LimitRange lets it be promised. */
export const smallestLimit = ({ range }: Pick<NodePod, 'range'>): Millicores =>
  Math.max(SMALLEST_LIMIT, Math.ceil((range?.least ?? 0) / REQUEST_RATIO.enough)) as Millicores

/** Of a pod, besides demand: an idle container must be able to wake up. */
const IDLE_SHARE = 100

export type ContainerShare = {
  readonly name: string
  readonly request: Millicores
  /** Undefined for a container that has none: one that was set could not be taken away again. */
  readonly limit: Millicores | undefined
}

export type PodShare = {
  readonly need: Millicores
  readonly limit: Millicores
  /**
   * A request is at most this part of its limit: below 1 never equal to it, and QoS stays Burstable.
   * 1 is for Guaranteed pods: every request is its limit, whatever the need.
   */
  readonly requestRatio: number
  /** What LimitRanges allow. */
  readonly range?: CpuRange | undefined
}

/**
 * Those with neither request nor limit are left out and keep what they have. Limits, where all have
 * one, sum to the pod's; requests to at most its need, unless a LimitRange wants more: in itself, or
 * for the limit that it goes with. `limit` is at least the smallest and at most the range's for each.
 */
export function shareOverContainers(
  containers: readonly PodContainer[],
  { need, limit, requestRatio, range = {} }: PodShare,
): ContainerShare[] {
  const idle = IDLE_SHARE / containers.length
  const weights = containers.map(({ demandCores = 0 }) => demandCores * 1000 + idle)
  const { least = 0, container: mostEach = limit, limitRatio = Infinity } = range
  const smallest = smallestLimit({ range })
  const ceiling = Math.max(smallest, mostEach) as Millicores
  const bids = containers.map(({ name }, i) => {
    return { id: name, floor: smallest, need: ceiling, ceiling, weight: weights[i] ?? idle }
  })
  const limits = clearMarket(limit, bids).amounts
  const needs = split(need, weights)
  return containers.flatMap((container, i) => {
    if (container.request === undefined && container.limit === undefined) return []
    const [bought = smallest, need = smallest] = [limits[i], needs[i]]
    const isLimited = container.limit !== undefined
    const most = isLimited ? Math.floor(requestRatio * bought) : bought
    const leastBeside = isLimited ? Math.ceil(bought / limitRatio) : 0
    const promised = Math.max(1, leastBeside, Math.min(most, Math.max(least, need)))
    const request = (requestRatio === 1 ? bought : promised) as Millicores
    return [{ name: container.name, request, limit: isLimited ? bought : undefined }]
  })
}
