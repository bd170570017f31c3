/**
 * What a block of memory takes from the nodes that it lies on, and gives back: from one after the
 * other in the order of their ids, as each leaves less for the next.
 */
import type { ByContainer } from '../by-container.ts'
import { type Block, isEnough, type MemoryState, type NodeMemory } from './state.ts'

/** `bytes` may be less than the block is, where some of it is used again. */
export function fillBlock(state: MemoryState, block: Block, bytes: number): MemoryState {
  const { resource, numa: group } = block
  let need = bytes
  return changeNodes(state, block, (node) => {
    const free = node.free[resource] ?? 0
    const taken = isEnough(free, need) ? need : free
    need -= taken
    return {
      ...node,
      free: { ...node.free, [resource]: free - taken },
      blocks: node.blocks + 1,
      group,
    }
  })
}

export function drainBlock(state: MemoryState, block: Block): MemoryState {
  const { resource } = block
  let left = block.bytes
  return changeNodes(state, block, (node) => {
    const free = node.free[resource] ?? 0
    const given = Math.min(left, (node.allocatable[resource] ?? 0) - free)
    left -= given
    const blocks = node.blocks - 1
    return {
      ...node,
      free: { ...node.free, [resource]: free + given },
      blocks,
      group: blocks === 0 ? [node.numa] : node.group,
    }
  })
}

const changeNodes = (
  state: MemoryState,
  { numa }: Block,
  change: (node: NodeMemory) => NodeMemory,
): MemoryState => ({
  ...state,
  nodes: state.nodes.map((node) => (numa.includes(node.numa) ? change(node) : node)),
})

/** As it was given before: nobody chooses, and nothing is for reuse. */
export function holdMemory(empty: MemoryState, memory: ByContainer<readonly Block[]>): MemoryState {
  let state = empty
  for (const [uid, containers] of memory) {
    for (const [container, blocks] of containers) {
      const filled = blocks.reduce((after, block) => fillBlock(after, block, block.bytes), state)
      state = { ...filled, held: [...filled.held, { uid, container, blocks }] }
    }
  }
  return state
}
