/** Whether a node takes a pod, or a resize of one; the words are those of the real kubelet. */
import { addCharge, type Charge, chargeOf, readAmounts } from '../nodes/charge.ts'
import { matchesNode } from '../nodes/node-requirements.ts'
import type { SimNode } from '../nodes/node.ts'
import type { SimPodSpec } from '../nodes/pod.ts'

export type Verdict =
  | { readonly fits: true }
  | { readonly fits: false; readonly reason: string; readonly message: string }

export type Room = {
  readonly node: SimNode | undefined
  /** What the other pods of the node have. */
  readonly others: readonly Charge[]
}

export function admit(spec: SimPodSpec, room: Room): Verdict {
  const verdict = fit(spec, room)
  if (!verdict.fits || !room.node || matchesNode(spec, room.node)) return verdict
  return {
    fits: false,
    reason: 'NodeAffinity',
    message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  }
}

/** The first resource that is short, in the real order: pods, CPU, memory, storage, the rest. */
export function fit(spec: SimPodSpec, { node, others }: Room): Verdict {
  const allocatable = readAmounts(node?.status?.allocatable)
  const used = new Map<string, number>([['pods', others.length]])
  for (const charge of others) addCharge(used, charge)
  const asked = new Map([['pods', 1], ...chargeOf({ spec })])
  const first = ['pods', 'cpu', 'memory', 'ephemeral-storage']
  const rest = [...asked.keys()].filter((name) => !first.includes(name)).toSorted()
  for (const name of [...first, ...rest]) {
    const wanted = asked.get(name) ?? 0
    const has = used.get(name) ?? 0
    const capacity = allocatable.get(name)
    // An extended resource that the node does not know may be the cluster's: it is not refused here.
    if (wanted === 0 || (capacity === undefined && rest.includes(name))) continue
    if (wanted + has <= (capacity ?? 0)) continue
    return {
      fits: false,
      reason: `OutOf${name}`,
      message: `Node didn't have enough resource: ${name}, requested: ${wanted}, used: ${has}, capacity: ${capacity ?? 0}`,
    }
  }
  return { fits: true }
}
