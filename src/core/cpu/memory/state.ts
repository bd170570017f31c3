/**
 * What the kubelet's Memory Manager (static policy) keeps: the memory of each NUMA node, regular and
 * in huge pages, and the blocks of it that containers hold.
 *
 * Amounts are bytes and may fall below 0: the kubelet subtracts reserves and huge pages from a node's
 * memory in 64 bits without sign, so that a node with too little counts as one with 2^64 bytes less
 * a few. Below 0 stands for that, see `isEnough`; sums over nodes then agree with the kubelet's.
 */
import { InvalidInput } from '../../errors.ts'
import type { Bytes } from '../../units.ts'
import type { Refusal } from '../refusal.ts'

/** By resource name: `memory`, `hugepages-2Mi`, `hugepages-1Gi`. */
export type Amounts = Readonly<Record<string, number>>

/** As the machine and the kubelet's `reservedMemory` have it. */
export type NumaMemory = {
  readonly numa: number
  /** `memory` is all that the node has, its huge pages too. */
  readonly total: Readonly<Record<string, Bytes>>
  readonly reserved: Readonly<Record<string, Bytes>>
}

/** Memory of one kind that a container holds, on one node or on several together. */
export type Block = {
  readonly resource: string
  readonly numa: readonly number[]
  readonly bytes: number
}

export type NodeMemory = {
  readonly numa: number
  readonly allocatable: Amounts
  readonly free: Amounts
  /** Blocks that lie on it. */
  readonly blocks: number
  /** Itself, or the nodes that hold blocks together with it: no node serves alone and in a group. */
  readonly group: readonly number[]
}

type Held = {
  readonly uid: string
  readonly container: string
  readonly blocks: readonly Block[]
}

export type MemoryState = {
  /** Ascending ids. */
  readonly nodes: readonly NodeMemory[]
  readonly held: readonly Held[]
  readonly reusable: Reusable
}

/** What init containers of the pod that was served last have held, for its other containers. */
type Reusable = { readonly uid: string; readonly amounts: Amounts }

export function createMemoryState(machine: readonly NumaMemory[]): MemoryState | Refusal {
  const reserved = machine.reduce((sum, node) => sum + (node.reserved['memory'] ?? 0), 0)
  if (reserved === 0) {
    return { error: '[memorymanager] you should specify the system reserved memory' }
  }
  const nodes = machine.map(startNode).toSorted((a, b) => a.numa - b.numa)
  for (const [i, { numa }] of nodes.entries()) {
    if (numa === nodes[i - 1]?.numa) {
      throw new InvalidInput(`memory: expected NUMA node ${numa} once, got it twice`)
    }
  }
  return { nodes, held: [], reusable: { uid: '', amounts: {} } }
}

function startNode({ numa, total, reserved }: NumaMemory): NodeMemory {
  const left = Object.entries(total).map(([name, bytes]) => {
    const pages = name === 'memory' ? hugePagesOf(total) : 0
    return [
      name,
      bytes - pages - (Object.hasOwn(reserved, name) ? (reserved[name] ?? 0) : 0),
    ] as const
  })
  const allocatable = Object.fromEntries(left)
  return { numa, allocatable, free: allocatable, blocks: 0, group: [numa] }
}

const hugePagesOf = (total: Amounts): number =>
  Object.entries(total).reduce((sum, [name, bytes]) => (name === 'memory' ? sum : sum + bytes), 0)

export const isEnough = (amount: number, asked: number): boolean => amount < 0 || amount >= asked

/** Undefined: it holds none. */
export const blocksOf = (
  { held }: MemoryState,
  uid: string,
  container: string,
): readonly Block[] | undefined =>
  held.find((one) => one.uid === uid && one.container === container)?.blocks

export const reusableBytes = (
  { reusable }: MemoryState,
  uid: string,
  { numa, resource }: Pick<Block, 'numa' | 'resource'>,
): number => (reusable.uid === uid ? (reusable.amounts[reusableKey({ numa, resource })] ?? 0) : 0)

/** Only a block on the same nodes can reuse another. */
export const reusableKey = ({ numa, resource }: Pick<Block, 'numa' | 'resource'>): string =>
  `${resource} on ${numa.join('+')}`
