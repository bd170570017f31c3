/**
 * Which NUMA nodes could serve a request for memory, as the kubelet's Memory Manager tells the
 * Topology Manager.
 *
 * A set of nodes is a hint if it has enough free memory of every kind, and if its nodes may serve
 * together: a node serves alone or always in the same group. It is preferred if no smaller set would
 * do on an empty machine. Complexity: O(2^nodes * nodes * kinds).
 *
 *   free on 0, 1   allocatable   ask     hints
 *   4Gi, 8Gi       8Gi, 8Gi      6Gi     {1}* {0,1}
 *   4Gi, 4Gi       8Gi, 8Gi      6Gi     {0,1}           one node would do, if it were empty
 *   1Gi, 1Gi       8Gi, 8Gi      6Gi     none            and so it says nothing: allocating will fail
 */
import { type Hint, masksBySize, type ProviderHints } from '../hint.ts'
import type { ContainerRequest, PodRequest } from '../pod-request.ts'
import { isCountable, isPinned, memoryOfPod } from './request.ts'
import {
  type Amounts,
  type Block,
  blocksOf,
  isEnough,
  type MemoryState,
  type NodeMemory,
  reusableBytes,
} from './state.ts'

export function memoryHintsOfContainer(
  state: MemoryState,
  pod: PodRequest,
  container: ContainerRequest,
): ProviderHints {
  if (!isPinned(pod) || !isCountable(container)) return {}
  const held = blocksOf(state, pod.uid, container.name)
  if (held !== undefined) return hintsOfHeld(held, container.memory)
  return byResource(memoryHints(state, { uid: pod.uid, asked: container.memory }), container.memory)
}

export function memoryHintsOfPod(state: MemoryState, pod: PodRequest): ProviderHints {
  if (!isPinned(pod) || !pod.containers.every(isCountable)) return {}
  const asked = memoryOfPod(pod)
  for (const { name } of pod.containers) {
    const held = blocksOf(state, pod.uid, name)
    if (held !== undefined) return hintsOfHeld(held, asked)
  }
  return byResource(memoryHints(state, { uid: pod.uid, asked }), asked)
}

/** Without any hint the kubelet names no resource, which means that it does not care. */
const byResource = (hints: readonly Hint[], asked: Amounts): ProviderHints =>
  hints.length === 0 ? {} : Object.fromEntries(Object.keys(asked).map((name) => [name, hints]))

/** Where it is already; nothing, if it now asks for something else. */
function hintsOfHeld(blocks: readonly Block[], asked: Amounts): ProviderHints {
  const isSame =
    blocks.length === Object.keys(asked).length &&
    blocks.every(({ resource, bytes }) => asked[resource] === bytes)
  if (!isSame) return {}
  return Object.fromEntries(
    blocks.map(({ resource, numa }) => [resource, [{ affinity: numa, preferred: true }]]),
  )
}

export function memoryHints(
  state: MemoryState,
  { uid, asked }: { readonly uid: string; readonly asked: Amounts },
): Hint[] {
  const fitting: number[][] = []
  let fewest = state.nodes.length
  for (const mask of masksBySize(state.nodes.length)) {
    const nodes = state.nodes.filter((_, bit) => (mask & (1 << bit)) !== 0)
    const numa = nodes.map((node) => node.numa)
    const couldServe = Object.entries(asked).every(([resource, bytes]) =>
      isEnough(totalOf(nodes, 'allocatable', resource), bytes),
    )
    if (!couldServe) continue
    fewest = Math.min(fewest, nodes.length)
    const canServe = Object.entries(asked).every(([resource, bytes]) => {
      const reusable = reusableBytes(state, uid, { numa, resource })
      return isEnough(totalOf(nodes, 'free', resource) + reusable, bytes)
    })
    if (canServe && mayServeTogether(nodes)) fitting.push(numa)
  }
  return fitting.map((affinity) => ({ affinity, preferred: affinity.length === fewest }))
}

export const totalOf = (
  nodes: readonly NodeMemory[],
  kind: 'allocatable' | 'free',
  resource: string,
): number => nodes.reduce((sum, node) => sum + (node[kind][resource] ?? 0), 0)

export function mayServeTogether(nodes: readonly NodeMemory[]): boolean {
  if (nodes.length === 1) return nodes.every(({ group }) => group.length === 1)
  const isWholeGroup = ({ group }: NodeMemory): boolean =>
    group.length === nodes.length && nodes.every(({ numa }) => group.includes(numa))
  return nodes.every((node) => node.blocks === 0 || isWholeGroup(node))
}
