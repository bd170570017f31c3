/**
 * From what a pod is given and promised to the requests and limits of its containers.
 *
 * Strict: the limit is the share. What nobody needs is lent as head-room in the limits.
 * Elastic: the limit is no share. It stays as it was written, and is raised only above a request.
 * In both the request is what is promised, below the limit, so that a pod stays Burstable.
 *
 *   written 100m/800m             request, limit
 *   strict, given 500m            475m, 500m and its part of what is idle
 *   elastic, promised 500m        500m, 800m
 *   elastic, promised 1000m       1000m, 1053m
 */
import { clearMarket, type Mode } from '../market/clear.ts'
import { type Millicores, sum } from '../units.ts'
import { ceilingByHandOf, isStrict } from './bid-of-pod.ts'
import type { PodsMarket } from './clear-pods.ts'
import {
  type ContainerShare,
  type PodShare,
  promiseOverContainers,
  REQUEST_RATIO,
  shareOverContainers,
} from './container-shares.ts'
import type { NodePod } from './pod.ts'
import type { BiddingRules } from './rules.ts'

export type PodShares = {
  readonly request: Millicores
  /** All containers together; one without a limit counts for what it may use (strict) or requests. */
  readonly limit: Millicores
  readonly containers: readonly ContainerShare[]
}

/**
 * The limits of strict pods, in the order of the outcomes: with slack they are shared by a second
 * clearing, in which every strict pod wants its ceiling.
 */
export function strictLimitsOf(
  { clearing, outcomes }: PodsMarket,
  rules: BiddingRules,
): readonly Millicores[] {
  const lends = clearing.mode === 'uncongested' && !rules.isCostMode
  if (!lends || !outcomes.some(({ pod }) => isStrict(pod, rules))) {
    return outcomes.map(({ given }) => given)
  }
  const hungry = outcomes.map(({ pod, bid, given }) => {
    const takes = isStrict(pod, rules) && takesHeadroom(pod)
    return {
      ...bid,
      floor: given,
      need: takes ? mostBeside(pod, given, bid.ceiling) : given,
      ceiling: Math.max(given, bid.ceiling) as Millicores,
    }
  })
  return clearMarket(clearing.capacity, hungry).amounts
}

/** Idle CPU must not be promised, and a pod without a limit uses it anyway. */
const takesHeadroom = ({ qosClass, containers }: NodePod): boolean =>
  qosClass !== 'Guaranteed' && containers.some(({ limit }) => limit !== undefined)

/** A LimitRange may bound a limit by its request: what is idle only now is no reason to promise more. */
function mostBeside({ range }: NodePod, request: Millicores, ceiling: Millicores): Millicores {
  const { limitRatio } = range ?? {}
  if (limitRatio === undefined) return ceiling
  return Math.min(ceiling, Math.floor(request * limitRatio)) as Millicores
}

type StrictPart = {
  readonly promise: Millicores
  readonly limit: Millicores
  readonly mode: Mode
}

export function shareStrict(pod: NodePod, { promise, limit, mode }: StrictPart): PodShares {
  const burstable = mode === 'uncongested' ? REQUEST_RATIO.enough : REQUEST_RATIO.short
  const requestRatio = pod.qosClass === 'Guaranteed' ? 1 : burstable
  return { ...sharesIn(pod, { need: promise, limit, requestRatio }), limit }
}

export function shareElastic(pod: NodePod, promise: Millicores): PodShares {
  const { containers, range, bound } = pod
  const need = Math.min(promise, bound?.request ?? Infinity) as Millicores
  const shares = promiseOverContainers(containers, { need, range, ceiling: ceilingByHandOf(pod) })
  return {
    request: sum(shares.map(({ request }) => request)),
    limit: sum(shares.map(({ request, limit = request }) => limit)),
    containers: shares,
  }
}

function sharesIn(
  { containers, range, bound }: NodePod,
  share: Omit<PodShare, 'range'>,
): Omit<PodShares, 'limit'> {
  const need = Math.min(share.need, bound?.request ?? Infinity) as Millicores
  const shares = shareOverContainers(containers, { ...share, need, range })
  const request = shares.reduce((sum, one) => sum + one.request, 0) as Millicores
  return { request, containers: shares }
}
