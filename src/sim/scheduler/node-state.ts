/** What the scheduler knows of each node: sums that follow every change, so that no pod is listed twice. */
import { addCharge, type Charge, chargeOf, readAmounts } from '../nodes/charge.ts'
import type { SimNode } from '../nodes/node.ts'
import { isEnded, type SimPod } from '../nodes/pod.ts'

export type PodCharge = {
  readonly pod: SimPod
  readonly nodeName: string
  readonly charge: Charge
  readonly owner: string | undefined
}

export type NodeState = {
  readonly name: string
  /** Undefined while only pods tell of it. */
  node: SimNode | undefined
  allocatable: Charge
  readonly used: Map<string, number>
  readonly pods: Map<string, PodCharge>
  /** Pods of one owner, by its uid. */
  readonly owners: Map<string, number>
}

export type ClusterState = {
  readonly nodes: ReadonlyMap<string, NodeState>
  /** Every pod that is on a node. */
  readonly assigned: ReadonlyMap<string, PodCharge>
  readonly setNode: (node: SimNode) => void
  readonly removeNode: (name: string) => void
  readonly setPod: (pod: SimPod) => void
  readonly removePod: (uid: string) => void
  /** Pods on nodes that keep others away. */
  readonly repellent: ReadonlySet<PodCharge>
}

export function createClusterState(): ClusterState {
  const nodes = new Map<string, NodeState>()
  const assigned = new Map<string, PodCharge>()
  const repellent = new Set<PodCharge>()

  const stateOf = (name: string): NodeState => {
    let state = nodes.get(name)
    if (state === undefined) {
      state = {
        name,
        node: undefined,
        allocatable: new Map(),
        used: new Map(),
        pods: new Map(),
        owners: new Map(),
      }
      nodes.set(name, state)
    }
    return state
  }

  const removePod = (uid: string) => {
    const known = assigned.get(uid)
    if (known === undefined) return
    assigned.delete(uid)
    repellent.delete(known)
    const state = stateOf(known.nodeName)
    state.pods.delete(uid)
    addCharge(state.used, known.charge, -1)
    if (known.owner !== undefined) countOwner(state, known.owner, -1)
    if (state.node === undefined && state.pods.size === 0) nodes.delete(state.name)
  }

  return {
    nodes,
    assigned,
    repellent,
    setNode(node) {
      const state = stateOf(node.metadata.name)
      // Heartbeats change the status, not what it allows.
      if (state.node?.status?.allocatable !== node.status?.allocatable) {
        state.allocatable = readAmounts(node.status?.allocatable)
      }
      state.node = node
    },
    removeNode(name) {
      const state = nodes.get(name)
      if (state === undefined) return
      state.node = undefined
      if (state.pods.size === 0) nodes.delete(name)
    },
    setPod(pod) {
      const { uid, generation, ownerReferences } = pod.metadata
      const { nodeName } = pod.spec
      const known = assigned.get(uid)
      if (!nodeName || isEnded(pod)) {
        removePod(uid)
        return
      }
      // Only a resize changes what a pod asks for, and that makes a new generation.
      if (known !== undefined && generation === 1) return
      removePod(uid)
      const owner = ownerReferences?.find(({ controller }) => controller)?.uid
      const charge = { pod, nodeName, charge: chargeOf(pod), owner }
      const state = stateOf(nodeName)
      assigned.set(uid, charge)
      state.pods.set(uid, charge)
      addCharge(state.used, charge.charge)
      if (owner !== undefined) countOwner(state, owner, 1)
      if (pod.spec.affinity?.podAntiAffinity) repellent.add(charge)
    },
    removePod,
  }
}

function countOwner({ owners }: NodeState, owner: string, more: number): void {
  const count = (owners.get(owner) ?? 0) + more
  if (count === 0) owners.delete(owner)
  else owners.set(owner, count)
}
