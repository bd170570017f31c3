/**
 * What a provider of CPUs, memory or devices tells the Topology Manager: NUMA nodes that could serve
 * a request, and whether they are as few as it could be on an empty machine.
 */
import { InvalidInput } from '../errors.ts'

export type Hint = {
  /** Ascending ids of NUMA nodes; null: any. */
  readonly affinity: readonly number[] | null
  readonly preferred: boolean
}

/** Of one resource; null: it does not care; an empty list: it cannot be satisfied. */
export type HintList = readonly Hint[] | null

/** As one provider answers: by resource, such as `cpu` or `hugepages-2Mi`. */
export type ProviderHints = Readonly<Record<string, HintList>>

/**
 * NUMA nodes as the bits of a number: bit i is `nodes[i]`, of ascending ids. So masks compare as the
 * kubelet's 64-bit ones do, while ids may go to 63 and the arithmetic stays that of small integers.
 */
export type NodeMask = number

/** Beyond them bits would turn negative, and then wrap around. */
export const MOST_MASKED_NODES = 30

export const maskOf = (affinity: readonly number[], nodes: readonly number[]): NodeMask =>
  affinity.reduce((mask, id) => {
    const bit = nodes.indexOf(id)
    return bit < 0 ? mask : mask | (1 << bit)
  }, 0)

export const nodesIn = (mask: NodeMask, nodes: readonly number[]): number[] =>
  nodes.filter((_, bit) => (mask & (1 << bit)) !== 0)

export function countNodes(mask: NodeMask): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** The kubelet starts with at most 8 unless it is told otherwise; here the hints would be 65,535. */
const MOST_ENUMERATED_NODES = 16

/** Every set of some of `count` nodes: the smallest first, and of one size those of lower nodes. */
export function masksBySize(count: number): NodeMask[] {
  if (count > MOST_ENUMERATED_NODES) {
    throw new InvalidInput(
      `topology: expected at most ${MOST_ENUMERATED_NODES} NUMA nodes to make hints of, got ${count}`,
    )
  }
  const masks: NodeMask[] = []
  const extend = (mask: NodeMask, from: number, more: number): void => {
    if (more === 0) masks.push(mask)
    else
      for (let bit = from; bit <= count - more; bit++) extend(mask | (1 << bit), bit + 1, more - 1)
  }
  for (let size = 1; size <= count; size++) extend(0, 0, size)
  return masks
}
