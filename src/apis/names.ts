/** Every name that users see or type, once. */
import { type Keep, short } from './keep.ts'

export const groups = {
  allocation: 'allocation.mbcas.io',
  gpu: 'gpu.mbcas.io',
  fleet: 'fleet.mbcas.io',
  cost: 'cost.mbcas.io',
} as const

/** Of NodeResourceTopology, which is not ours alone; `deploy/crds` defines it all the same. */
export const topologyGroup = 'topology.node.k8s.io'

export const apiVersion = 'v1alpha1'

/** Where our own processes run; its pods are never managed. */
export const systemNamespace = 'mbcas-system'

export const prefix = 'mbcas.io/'
/** Of the names that GPU users write, kept from the documents that we grew from. */
export const gpuPrefix = 'gpu-autoscaler.io/'

/** On pods as annotation or label, on namespaces likewise; the pod wins, of ceilings the narrower. */
export const settings = {
  /** `"false"` opts out at once and restores the original values. */
  managed: 'mbcas.io/managed',
  /** `off`, `recommend` or `auto`. */
  mode: 'mbcas.io/mode',
  /** Floor of the pod, a quantity. */
  minCpu: 'mbcas.io/min-cpu',
  /** Ceiling of the pod, a quantity. That of a namespace is a bound (`policy-bounds.yaml`). */
  maxCpu: 'mbcas.io/max-cpu',
  /** Factor on its weight within its namespace, 0.1 to 10. */
  priorityMultiplier: 'mbcas.io/priority-multiplier',
  /** p99 target, in milliseconds: it counts in the weight, the bid and protection. */
  targetLatencyMs: 'mbcas.io/target-latency-ms',
  /** `elastic` (by weights) or `strict` (by quotas); on nodes as label or annotation, too. */
  enforcement: 'mbcas.io/enforcement',
  /** `"false"` forbids CPU burst, which strict pods have. */
  burst: 'mbcas.io/burst',
  /** `"manage"` opts a Guaranteed pod in. */
  guaranteed: 'mbcas.io/guaranteed',
  /** Pods of one node with the same value bid as one. */
  coalition: 'mbcas.io/coalition',
} as const

/**
 * On namespaces as annotation, by an administrator of MBCAS only (`policy-bounds.yaml`): what the words
 * of owners count for at most. They win over the pod's.
 */
export const bounds = {
  /** What the namespace's share of a node is multiplied by: the sum of its pods' requests. */
  shareFactor: 'mbcas.io/share-factor',
  /** The largest multiplier that counts, up to 10. */
  maxPriorityMultiplier: 'mbcas.io/max-priority-multiplier',
  /** Floors up to this count beyond what the pod requested. */
  maxMinCpu: 'mbcas.io/max-min-cpu',
  /** The strictest latency target that counts, in milliseconds. */
  minTargetLatencyMs: 'mbcas.io/min-target-latency-ms',
  /** `"false"`: its pods form no coalitions. */
  coalitions: 'mbcas.io/coalitions',
} as const

/** On a PodAllocation: `"true"` means that a person owns it, and the agent does not write it. */
export const overrideAnnotation = 'mbcas.io/override'

/** On a pod: what its containers had before we first changed them, as `core/resize` writes it. */
export const originalAnnotation = 'mbcas.io/original-cpu'

/** Who wrote a field, in server-side apply; also the component named in events. */
export const fieldManagers = {
  agent: 'mbcas-agent',
  controller: 'mbcas-controller',
  cli: 'mbcas-cli',
} as const

/** Names of Kubernetes itself that we read. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror'

/** Annotations, or labels, that we read: each name of ours, and a few more that only look like it. */
export const ownNames: Keep = {
  ...Object.fromEntries(
    [...Object.values(settings), ...Object.values(bounds)].map((name) => [name, short]),
  ),
  [`${prefix}*`]: short,
  [`${gpuPrefix}*`]: short,
}
