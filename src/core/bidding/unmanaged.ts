/** Which pods stay out of the market, why in words, and what CPU they hold all the same. */
import type { Millicores } from '../units.ts'
import { millicoresUp, type NodePod } from './pod.ts'
import type { BiddingRules } from './rules.ts'

export const systemNamespaces: ReadonlySet<string> = new Set([
  'kube-system',
  'kube-public',
  'kube-node-lease',
  'mbcas-system',
])

/** Undefined for a pod that takes part. The first reason that holds is told. */
export function whyUnmanaged(
  pod: NodePod,
  { skipsGuaranteed }: Pick<BiddingRules, 'skipsGuaranteed'>,
): string | undefined {
  if (pod.unread !== undefined) return `is too large to be read: ${pod.unread}`
  if (pod.phase === 'finished') return 'has finished'
  if (pod.wishes.outside !== undefined) return pod.wishes.outside
  if (pod.wishes.isOptedOut) return 'opted out by mbcas.io/managed'
  if (pod.wishes.isOff === true) return 'is turned off by mbcas.io/mode'
  if (systemNamespaces.has(pod.namespace)) return `is in the system namespace ${pod.namespace}`
  if (pod.isStatic) return 'is a static pod, which cannot be resized'
  if (pod.phase === 'pending') return 'is not running yet'
  if (pod.phase === 'terminating') return 'is terminating'
  if (pod.qosClass === 'Guaranteed' && skipsGuaranteed && pod.wishes.managesGuaranteed !== true) {
    return 'is Guaranteed: its CPU is promised in full; mbcas.io/guaranteed: manage lets it take part'
  }
  if (pod.qosClass === 'BestEffort') return 'is BestEffort: it is watched, not touched'
  if (pod.hasPodResources) return 'has resources of the pod as a whole: it is watched, not touched'
  return whyContainersUnmanaged(pod)
}

function whyContainersUnmanaged({ containers, isFixed = false }: NodePod): string | undefined {
  if (containers.length === 0) return 'has no containers'
  const restarting = containers.find(({ restartsOnResize }) => restartsOnResize)
  if (restarting !== undefined) {
    return `would have its container ${restarting.name} restarted for every change, by its resize policy`
  }
  const exclusive = containers.find(({ exclusiveCpus = 0 }) => exclusiveCpus > 0)
  if (exclusive !== undefined) {
    return `has CPUs of its own for container ${exclusive.name}, which no resize may change`
  }
  if (isFixed) {
    return 'is Guaranteed on a node with the static CPU policy, where the kubelet resizes none of those'
  }
  if (containers.every(({ request, limit }) => request === undefined && limit === undefined)) {
    return 'has neither a CPU request nor a CPU limit, and one that was set could not be taken away again'
  }
  const unmeasured = containers.find(({ demandCores }) => demandCores === undefined)
  if (unmeasured !== undefined) return `is not measured yet: container ${unmeasured.name}`
  return undefined
}

/** What CPUs of its own come to. */
export const ownCpusOf = ({ phase, containers }: NodePod): number =>
  phase === 'finished'
    ? 0
    : containers.reduce((sum, { exclusiveCpus = 0 }) => sum + exclusiveCpus * 1000, 0)

/**
 * Anybody may create a pod on a node that has no room for it, of any size: until its kubelet has taken it,
 * or refused it, it holds nothing.
 */
const holds = ({ phase, cameAt }: NodePod): boolean =>
  phase !== 'finished' && (phase === 'running' || cameAt !== undefined)

/**
 * The larger of use and request: it may use what it was promised at any moment. CPUs of its own are
 * its request, so that they count once.
 */
export function heldBy(pod: NodePod): Millicores {
  if (!holds(pod)) return 0 as Millicores
  const used = pod.containers.reduce((sum, { usageCores = 0 }) => sum + usageCores, 0)
  return Math.max(promisedTo(pod), millicoresUp(used)) as Millicores
}

/** Of that, what it has by right: of one that is being ended no more than it came with. */
export function promisedTo(pod: NodePod): number {
  const { phase, containers, podRequest = 0 as Millicores } = pod
  if (!holds(pod)) return 0
  const requested = containers.reduce((sum, container) => {
    const { request = 0, firstRequest = request, exclusiveCpus = 0 } = container
    const own = phase === 'terminating' ? Math.min(request, firstRequest) : request
    return sum + Math.max(own, exclusiveCpus * 1000)
  }, 0)
  return Math.max(requested, podRequest)
}
