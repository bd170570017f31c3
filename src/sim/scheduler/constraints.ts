/** Rules between pods: required affinity and anti-affinity, and topology spread that must hold. */
import { memberOf } from '../apiserver/members.ts'
import { matchesLabels } from '../label-selector.ts'
import { matchesNode } from '../nodes/node-requirements.ts'
import type { AffinityTerm, SimPod, SpreadConstraint } from '../nodes/pod.ts'
import type { ClusterState, NodeState } from './node-state.ts'

/** Why the node is no place for the pod; undefined if it is. */
type Constraint = (state: NodeState) => string | undefined

const labelOf = (state: NodeState | undefined, key: string): string | undefined =>
  memberOf(state?.node?.metadata.labels ?? {}, key)

const selects = ({ labelSelector, namespaces }: AffinityTerm, owner: SimPod, other: SimPod) => {
  const within = namespaces?.length ? namespaces : [owner.metadata.namespace]
  return (
    within.includes(other.metadata.namespace ?? '') &&
    matchesLabels(labelSelector, other.metadata.labels)
  )
}

/** Made once a pod, so that each node is one look-up. */
export function constraintsOf(pod: SimPod, cluster: ClusterState): readonly Constraint[] {
  const { affinity, topologySpreadConstraints = [] } = pod.spec
  const together = affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const apart = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  return [
    ...(cluster.repellent.size > 0 ? [repelled(pod, cluster)] : []),
    ...together.map((term) => near(term, pod, cluster)),
    ...apart.map((term) => away(term, pod, cluster)),
    ...topologySpreadConstraints
      .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
      .map((constraint) => spread(constraint, pod, cluster)),
  ]
}

/** Domains that hold a pod which the term selects. */
function domainsOf(term: AffinityTerm, pod: SimPod, { assigned, nodes }: ClusterState) {
  const domains = new Set<string | undefined>()
  for (const other of assigned.values()) {
    if (selects(term, pod, other.pod)) {
      domains.add(labelOf(nodes.get(other.nodeName), term.topologyKey))
    }
  }
  domains.delete(undefined)
  return domains
}

function near(term: AffinityTerm, pod: SimPod, cluster: ClusterState): Constraint {
  const domains = domainsOf(term, pod, cluster)
  // The first of a group that wants to be together may go anywhere.
  const isFirst = domains.size === 0 && selects(term, pod, pod)
  return (state) => {
    const domain = labelOf(state, term.topologyKey)
    const fits = domain !== undefined && (isFirst || domains.has(domain))
    return fits ? undefined : "node(s) didn't match pod affinity rules"
  }
}

function away(term: AffinityTerm, pod: SimPod, cluster: ClusterState): Constraint {
  const domains = domainsOf(term, pod, cluster)
  return (state) =>
    domains.has(labelOf(state, term.topologyKey))
      ? "node(s) didn't match pod anti-affinity rules"
      : undefined
}

function repelled(pod: SimPod, { repellent, nodes }: ClusterState): Constraint {
  const domains = new Map<string, Set<string>>()
  for (const { pod: other, nodeName } of repellent) {
    const { podAntiAffinity } = other.spec.affinity ?? {}
    for (const term of podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      const domain = labelOf(nodes.get(nodeName), term.topologyKey)
      if (domain === undefined || !selects(term, other, pod)) continue
      const known = domains.get(term.topologyKey)
      if (known) known.add(domain)
      else domains.set(term.topologyKey, new Set([domain]))
    }
  }
  return (state) => {
    for (const [key, forbidden] of domains) {
      const domain = labelOf(state, key)
      if (domain !== undefined && forbidden.has(domain)) {
        return "node(s) didn't satisfy existing pods anti-affinity rules"
      }
    }
    return undefined
  }
}

function spread(constraint: SpreadConstraint, pod: SimPod, cluster: ClusterState): Constraint {
  const { topologyKey, maxSkew, labelSelector } = constraint
  const counts = new Map<string, number>()
  for (const state of cluster.nodes.values()) {
    const domain = labelOf(state, topologyKey)
    if (domain === undefined || !state.node || !matchesNode(pod.spec, state.node)) continue
    const { namespace } = pod.metadata
    let count = counts.get(domain) ?? 0
    for (const { pod: other } of state.pods.values()) {
      const isSelected = matchesLabels(labelSelector, other.metadata.labels)
      if (isSelected && other.metadata.namespace === namespace) count += 1
    }
    counts.set(domain, count)
  }
  const least = Math.min(...counts.values())
  const self = matchesLabels(labelSelector, pod.metadata.labels) ? 1 : 0
  return (state) => {
    const count = counts.get(labelOf(state, topologyKey) ?? '')
    if (count === undefined) {
      return "node(s) didn't match pod topology spread constraints (missing required label)"
    }
    return count + self - least > maxSkew
      ? "node(s) didn't match pod topology spread constraints"
      : undefined
  }
}
