/** What stays the same about a pod until its object changes: read once, not four times a second. */
import type { AgentConfig } from '../../apis/agent-config.ts'
import type { LimitRange } from '../../apis/limit-range.ts'
import { type ClusterSettings, narrower, whyOutside } from '../../apis/market-settings.ts'
import type { Namespace } from '../../apis/namespace.ts'
import type { Pod } from '../../apis/pod.ts'
import type { CpuRange } from '../../core/bidding/pod.ts'
import type { PodPlace } from '../../ports/cgroup.ts'
import { rangeOf } from './cpu-range.ts'
import { lastingContainers, type LastingContainer, placeOf } from './pod-facts.ts'
import { type ReadWishes, readWishes } from './wishes.ts'

export type SeenPod = ReadWishes & {
  readonly pod: Pod
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly place: PodPlace
  readonly containers: readonly LastingContainer[]
  /** What the LimitRanges of its namespace let it have. */
  readonly range: CpuRange | undefined
}

/** Its own latency target or the operator's, in milliseconds. */
export const targetOf = (
  { options }: SeenPod,
  { latency }: Pick<AgentConfig, 'latency'>,
): number | undefined => options.targetLatencyMillis ?? latency.targetMillis

/** The operator's is for all that can be measured; its own says that latency matters here. */
export const hasOwnTarget = ({ options }: SeenPod): boolean =>
  options.targetLatencyMillis !== undefined

type ViewerNeeds = {
  readonly namespaceOf: (name: string) => Namespace | undefined
  readonly settings: () => ClusterSettings
  readonly limitRangesOf: (namespace: string) => readonly LimitRange[]
}

export function podViewer(needs: ViewerNeeds): (pod: Pod) => SeenPod {
  const { namespaceOf, settings, limitRangesOf } = needs
  type Kept = {
    readonly home: Namespace | undefined
    readonly rules: ClusterSettings
    readonly limitRanges: readonly LimitRange[]
    readonly seen: SeenPod
  }
  const kept = new WeakMap<Pod, Kept>()
  return (pod) => {
    const { uid = '', namespace = '', name = '' } = pod.metadata
    const home = namespaceOf(namespace)
    const rules = settings()
    const limitRanges = limitRangesOf(namespace)
    const known = kept.get(pod)
    if (known?.home === home && known?.rules === rules && isSame(known.limitRanges, limitRanges)) {
      return known.seen
    }
    const containers = lastingContainers(pod)
    const wishes = within(rules, namespace, readWishes(pod, home))
    const asking = containers.filter(
      ({ request, limit }) => request !== undefined || limit !== undefined,
    )
    const range = rangeOf(limitRanges, asking.length)
    const seen = { pod, uid, namespace, name, place: placeOf(pod), containers, range, ...wishes }
    kept.set(pod, { home, rules, limitRanges, seen })
    return seen
  }
}

const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, i) => one === others[i])

/** What an owner asks for, as far as the whole cluster's settings let it. */
function within(rules: ClusterSettings, namespace: string, read: ReadWishes): ReadWishes {
  const outside = whyOutside(namespace, rules)
  const mode = outside === undefined ? narrower(rules.mode, read.options.mode) : 'off'
  return {
    ...read,
    wishes: { ...read.wishes, outside },
    options: { ...read.options, mode },
  }
}
