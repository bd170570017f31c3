/** What stays the same about a pod until its object changes: read once, not four times a second. */
import type { AgentConfig } from '../../apis/agent-config.ts'
import { type ClusterSettings, narrower, whyOutside } from '../../apis/market-settings.ts'
import type { Namespace } from '../../apis/namespace.ts'
import type { Pod } from '../../apis/pod.ts'
import type { PodPlace } from '../../ports/cgroup.ts'
import { lastingContainers, type LastingContainer, placeOf } from './pod-facts.ts'
import { type ReadWishes, readWishes } from './wishes.ts'

export type SeenPod = ReadWishes & {
  readonly pod: Pod
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly place: PodPlace
  readonly containers: readonly LastingContainer[]
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
}

export function podViewer({ namespaceOf, settings }: ViewerNeeds): (pod: Pod) => SeenPod {
  type Kept = {
    readonly home: Namespace | undefined
    readonly rules: ClusterSettings
    readonly seen: SeenPod
  }
  const kept = new WeakMap<Pod, Kept>()
  return (pod) => {
    const { uid = '', namespace = '', name = '' } = pod.metadata
    const home = namespaceOf(namespace)
    const rules = settings()
    const known = kept.get(pod)
    if (known?.home === home && known?.rules === rules) return known.seen
    const containers = lastingContainers(pod)
    const wishes = within(rules, namespace, readWishes(pod, home))
    const seen = { pod, uid, namespace, name, place: placeOf(pod), containers, ...wishes }
    kept.set(pod, { home, rules, seen })
    return seen
  }
}

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
