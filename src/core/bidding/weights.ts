/**
 * What the pods of a node weigh in its market.
 *
 * Objective: what was requested decides how a short node is shared between namespaces, and the words of
 * a pod's owner only how its namespace shares its own part. A namespace's share is the sum of its pods'
 * requests, as they were written, times a factor that only an administrator sets. Inside it a pod counts
 * by its request, its priority and its multiplier:
 *
 *   weight_i = share x (r_i m_i / sum over the namespace of r_j m_j), in CPUs
 *
 * so that neither a multiplier, nor a priority, nor more pods of the same total make the share larger.
 * A pod without a request counts for 2m, as in the kernel, where it has 2 shares of 1024. O(n).
 *
 *   namespace  requests (multiplier)          factor    weights
 *   shop       2000m                          1     ->  2
 *   greedy     100m (10)                      1     ->  0.1
 *   greedy     50m (10), 50m (1)              1     ->  0.091, 0.009
 *   greedy     none, ten times                1     ->  0.002 each
 */
import type { Millicores } from '../units.ts'
import type { NodePod } from './pod.ts'

/** What the kernel gives a container without a request: 2 shares of 1024 a CPU. */
const LEAST_REQUEST = 2

/** Far below any pod's weight, and above the least that a market takes. */
const LEAST_WEIGHT = 1e-6

/** As its owner wrote it: `request` may be what we made of it. */
export const requestedBy = ({ containers }: Pick<NodePod, 'containers'>): Millicores =>
  Math.max(
    LEAST_REQUEST,
    containers.reduce((sum, { request = 0, firstRequest = request }) => sum + firstRequest, 0),
  ) as Millicores

/** By UID. */
export function weighPods(pods: readonly NodePod[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const [, members] of byNamespace(pods)) {
    const share = shareOf(members)
    // In a fixed order: the last bit must not depend on who was listed first.
    const parts = members.map((pod) => requestedBy(pod) * sayOf(pod)).toSorted((a, b) => a - b)
    const unit = share / parts.reduce((a, b) => a + b, 0)
    for (const pod of members) {
      weights.set(pod.uid, Math.max(LEAST_WEIGHT, (unit * requestedBy(pod) * sayOf(pod)) / 1000))
    }
  }
  return weights
}

/** Of a namespace, in millicores: what its pods on the node request, times the administrator's factor. */
export const shareOf = (members: readonly NodePod[]): number =>
  members.reduce((sum, pod) => sum + requestedBy(pod), 0) * (members[0]?.shareFactor ?? 1)

export function byNamespace<T extends { readonly namespace: string }>(
  all: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(one.namespace)
    if (group === undefined) groups.set(one.namespace, [one])
    else group.push(one)
  }
  return groups
}

/** What its owner says of it, beside its request. */
export const sayOf = ({ priority, wishes }: NodePod): number =>
  Math.min(10, Math.max(0.1, 1 + priority / 10_000)) * wishes.priorityMultiplier
