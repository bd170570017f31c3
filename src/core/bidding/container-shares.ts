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

/** Of a pod: what its containers need at least to have limits at all. */
export const smallestOf = (pod: NodePod): number => smallestLimit(pod) * pod.containers.length

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
  const weights = weightsOf(containers)
  const { least = 0, container: mostEach = limit, limitRatio = Infinity } = range
  const smallest = smallestLimit({ range })
  const ceiling = Math.max(smallest, mostEach) as Millicores
  const bids = containers.map(({ name }, i) => {
    return { id: name, floor: smallest, need: ceiling, ceiling, weight: weights[i] ?? 1 }
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

export type PodPromise = Pick<PodShare, 'need' | 'range'> & {
  /** Of the pod, set by a person: what we raise limits to together stays within it. */
  readonly ceiling?: Millicores | undefined
}

/**
 * Where a limit is no share, it stays as its owner wrote it, and is raised only so far that the request
 * is below it: not above what a LimitRange or the pod's ceiling allows, but for the least that a
 * LimitRange wants to be promised. Those with neither request nor limit are left out.
 *
 * Where a LimitRange ties limits to requests so closely that nothing is between them, they are equal,
 * as they had to be when the pod was admitted. O(n).
 *
 *   needs         limits        ceiling       requests, limits
 *   300m, 100m    500m, 500m             ->   300m/500m, 100m/500m
 *   800m, 100m    500m, 500m             ->   800m/843m, 100m/500m
 *   800m, 100m    500m, 500m    1200m    ->   665m/700m, 100m/500m
 */
export function promiseOverContainers(
  containers: readonly PodContainer[],
  { need, range = {}, ceiling }: PodPromise,
): ContainerShare[] {
  const { least = 0, container: mostEach = Infinity, limitRatio = Infinity } = range
  const smallest = Math.max(1, least)
  const needs = split(need, weightsOf(containers))
  const wishes = containers.map((container, i) => {
    const promised = Math.max(smallest, Math.min(needs[i] ?? 0, mostEach))
    const own = ownLimitOf(container, mostEach)
    if (own === undefined) return { promised, own, raise: 0 }
    const kept = Math.max(own, limitAbove(smallest))
    return {
      promised,
      own: kept,
      raise: Math.max(0, Math.min(limitAbove(promised), mostEach) - kept),
    }
  })
  const kept = wishes.reduce((sum, { own = 0 }) => sum + own, 0)
  const raises = wishes.reduce((sum, { raise }) => sum + raise, 0)
  const room = Math.max(0, (ceiling ?? Infinity) - kept)
  const raised = (raise: number) => (raises > room ? Math.floor((raise * room) / raises) : raise)
  return containers.flatMap(({ name, request, limit: written }, i): ContainerShare[] => {
    if (request === undefined && written === undefined) return []
    const { promised = smallest, own, raise = 0 } = wishes[i] ?? {}
    if (own === undefined) return [{ name, request: promised as Millicores, limit: undefined }]
    const limit = (own + raised(raise)) as Millicores
    const below = Math.min(promised, Math.floor(REQUEST_RATIO.short * limit))
    const beside = Math.ceil(limit / limitRatio)
    return [{ name, request: Math.max(smallest, below, beside) as Millicores, limit }]
  })
}

const limitAbove = (request: number): number => Math.ceil(request / REQUEST_RATIO.short)

/** As it was noted, but none for a container without one; what comes back keeps to a LimitRange. */
function ownLimitOf({ limit, firstLimit }: PodContainer, most: number): number | undefined {
  if (limit === undefined) return undefined
  return Math.min(firstLimit ?? limit, Math.max(limit, most))
}

const weightsOf = (containers: readonly PodContainer[]): readonly number[] => {
  const idle = IDLE_SHARE / containers.length
  return containers.map(({ demandCores = 0 }) => demandCores * 1000 + idle)
}
