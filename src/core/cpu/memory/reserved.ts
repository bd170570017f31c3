/**
 * What a kubelet checks of `reservedMemory` before it starts with the Memory Manager's static policy
 * (k8s.io/kubernetes 1.36, pkg/kubelet/cm/memorymanager): it is there twice, by NUMA node and for the
 * node as a whole, and both have to be the same. The errors are its own. Complexity: O(nodes * kinds).
 *
 *   reserved on 0, 1   kube, system and eviction   verdict
 *   1Gi, 1Gi           2Gi                         starts
 *   1Gi, 1Gi           2Gi + 100Mi                 the total amount "2Gi" ... is not equal
 *   1Gi on node 2      1Gi                         node 2 does not exist on this machine
 */
import { formatBytes } from '../../quantity.ts'
import { type Bytes, bytes, sum } from '../../units.ts'
import type { Refusal } from '../refusal.ts'

/** By resource name. */
export type Reserve = Readonly<Record<string, Bytes>>

export type MemoryReservation = {
  /** By NUMA node. */
  readonly reserved: ReadonlyMap<number, Reserve>
  /** What `kubeReserved`, `systemReserved` and `evictionHard` come to; unchecked where nobody said. */
  readonly nodeReserved?: Reserve
}

export function refuseReservation(
  { reserved, nodeReserved }: MemoryReservation,
  numaNodes: readonly number[],
): Refusal | undefined {
  const unknown = [...reserved.keys()].find((numa) => !numaNodes.includes(numa))
  if (unknown !== undefined) {
    return {
      error: `the reserved memory configuration references a NUMA node ${unknown} that does not exist on this machine`,
    }
  }
  return nodeReserved && refuseTotals([...reserved.values()], nodeReserved)
}

function refuseTotals(byNode: readonly Reserve[], nodeReserved: Reserve): Refusal | undefined {
  for (const kind of new Set([...byNode, nodeReserved].flatMap(Object.keys))) {
    const total = sum(byNode.map((reserve) => reserve[kind] ?? bytes(0)))
    const wanted = nodeReserved[kind] ?? bytes(0)
    if (total === wanted) continue
    return {
      error: `the total amount "${formatBytes(total)}" of type "${kind}" is not equal to the value "${formatBytes(wanted)}" determined by Node Allocatable feature`,
    }
  }
  return undefined
}
