/**
 * Gives a container memory on NUMA nodes and takes it back, as the kubelet's Memory Manager does
 * (static policy; KEP-1769; k8s.io/kubernetes 1.36, pkg/kubelet/cm/memorymanager).
 *
 * On the nodes that `chooseNodes` finds. A block over several nodes fills them in the order of their
 * ids, and is given back in that order too. What an init container held is used again by later ones.
 * Complexity: that of the hints; see there.
 *
 *   free on 0, 1   hint    ask    gets            leaves
 *   4Gi, 8Gi       {1}     6Gi    6Gi on {1}      4Gi, 2Gi
 *   4Gi, 4Gi       {0}     6Gi    6Gi on {0,1}    0, 2Gi      and both now serve only together
 *   4Gi, 4Gi       {0}*    6Gi    refused         {0,1} is not preferred where one node could do
 */
import type { Hint } from '../hint.ts'
import type { ContainerRequest, PodRequest } from '../pod-request.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { chooseNodes } from './choose-nodes.ts'
import { drainBlock, fillBlock } from './fill.ts'
import { isCountable, isPinned } from './request.ts'
import { reuseInitBlocks, rememberReusable } from './reuse.ts'
import { blocksOf, type MemoryState, reusableBytes } from './state.ts'

type MemoryAsk = {
  readonly pod: PodRequest
  readonly container: ContainerRequest
  /** The merged one. */
  readonly hint: Hint
}

export function allocateMemory(
  state: MemoryState,
  { pod, container, hint }: MemoryAsk,
): MemoryState | Refusal {
  if (!isPinned(pod)) return state
  const held = blocksOf(state, pod.uid, container.name)
  if (held !== undefined) return rememberReusable(state, { pod, container, blocks: held })
  if (!isCountable(container)) {
    return { error: '[memorymanager] failed to represent quantity as int64' }
  }
  const numa = chooseNodes(state, { uid: pod.uid, asked: container.memory, hint })
  if (isRefusal(numa)) return numa
  const blocks = Object.entries(container.memory).map(([resource, bytes]) => ({
    resource,
    numa,
    bytes,
  }))
  const filled = blocks.reduce((after, block) => {
    const reused = reusableBytes(state, pod.uid, block)
    return fillBlock(after, block, Math.max(0, block.bytes - reused))
  }, state)
  const remembered = rememberReusable(filled, { pod, container, blocks })
  return reuseInitBlocks(
    {
      ...remembered,
      held: [...remembered.held, { uid: pod.uid, container: container.name, blocks }],
    },
    { pod, container, blocks },
  )
}

export function releaseMemory(state: MemoryState, uid: string, container: string): MemoryState {
  const blocks = blocksOf(state, uid, container) ?? []
  const drained = blocks.reduce(drainBlock, state)
  return {
    ...drained,
    held: drained.held.filter((one) => one.uid !== uid || one.container !== container),
  }
}

export const releasePodMemory = (state: MemoryState, uid: string): MemoryState =>
  state.held
    .filter((one) => one.uid === uid)
    .reduce((after, { container }) => releaseMemory(after, uid, container), state)

/** Once its apps run, what init containers still held is free again; the CPU Manager keeps theirs. */
export const releaseInitMemory = (
  state: MemoryState,
  { uid, containers }: PodRequest,
): MemoryState =>
  containers
    .filter(({ kind }) => kind === 'init')
    .reduce((after, { name }) => releaseMemory(after, uid, name), state)
