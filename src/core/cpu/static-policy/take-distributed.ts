/**
 * Takes CPUs evenly from as few NUMA nodes as can give equal shares (`distribute-cpus-across-numa`).
 *
 * Objective: equal shares, in whole groups of CPUs (cores, with `full-pcpus-only`); then what stays
 * free should differ little from node to node. Method: for each number of nodes, every choice of so
 * many; what does not divide evenly goes round some of them, tried from all to one; the least standard
 * deviation of the free CPUs wins, the first of equals. If no number of nodes will do, CPUs are packed.
 * Complexity: O(3^m) for m nodes with room. Reference: KEP-2902; kubelet 1.36,
 * `takeByTopologyNUMADistributed`.
 *
 *   2 NUMA nodes of 8 CPUs, 0-7 and 8-15, single-threaded
 *   free         ask   gets
 *   all          10    0-4,8-12
 *   all          9     0-4,8-11   the odd one from the first of equals
 *   0-10         10    0-9        node 1 cannot give 5: packed
 */
import { type CpuSet, noCpus } from '../cpu-set.ts'
import type { Refusal } from '../refusal.ts'
import type { CpuTopology } from '../topology.ts'
import { type Choice, chooseNodes, evenShare } from './choose-nodes.ts'
import {
  type Selection,
  selectWithin,
  startSelection,
  take,
  takenCpus,
  takenPositions,
} from './selection.ts'
import { notEnough, pack, plainPacking, takePacked, type Wanted } from './take-packed.ts'

export function takeDistributed(
  topology: CpuTopology,
  wanted: Wanted,
  groupSize: number,
): CpuSet | Refusal {
  const { available, count } = wanted
  if (count < 1) return noCpus
  if (count % groupSize !== 0) return takePacked(topology, wanted, plainPacking)
  const selection = startSelection(topology, available, count)
  if (count > selection.freeCount) return notEnough(wanted)
  const choice = chooseNodes(selection, groupSize)
  if (choice === undefined) return takePacked(topology, wanted, plainPacking)
  takeShares(selection, choice, groupSize)
  if (selection.needed === 0) return takenCpus(selection)
  const fault = selection.needed > 0 ? 'not enough' : 'too many'
  return {
    error: `accounting error, ${fault} CPUs allocated, remaining: ${selection.needed}`,
  }
}

function takeShares(selection: Selection, { nodes, extra }: Choice, groupSize: number): void {
  const count = selection.needed
  const share = evenShare({ count, nodes: nodes.length, groupSize })
  for (const node of nodes) takeIn(selection, node, share)
  let rest = count - share * nodes.length
  while (rest > 0) {
    const restBefore = rest
    for (const node of extra) {
      if (rest === 0 || (selection.freeIn.numa[node] as number) < groupSize) continue
      takeIn(selection, node, groupSize)
      rest -= groupSize
    }
    // Only if `extra` was overwritten, see combinations.ts: there the kubelet would never return.
    if (rest === restBefore) return
  }
}

/** Takes nothing if the node cannot give so many: the kubelet looks at the sum, at the end. */
function takeIn(selection: Selection, node: number, count: number): void {
  const within = selectWithin(selection, node, count)
  if (count <= within.freeCount && pack(within, plainPacking)) {
    take(selection, takenPositions(within))
  }
}
