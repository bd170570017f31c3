/**
 * A machine as the managers of a node see it. A NUMA node may have no CPUs: then it is none of the
 * CPU topology, and yet one that memory can be on.
 */
import type { Bytes } from '../units.ts'
import type { CpuTopology } from './topology.ts'

export type NumaNode = {
  readonly id: number
  /** To each node, in the order of ids; 10 to itself. */
  readonly distances?: readonly number[]
  /** In all, `memory` and `hugepages-*` by resource name; absent where nobody said. */
  readonly memory?: Readonly<Record<string, Bytes>>
}

export type Machine = {
  readonly topology: CpuTopology
  /** By ascending id. */
  readonly nodes: readonly NumaNode[]
}

/** Of a topology of which no more is known. */
export const bareMachine = (topology: CpuTopology): Machine => ({
  topology,
  nodes: topology.numa.ids.map((id) => ({ id })),
})
