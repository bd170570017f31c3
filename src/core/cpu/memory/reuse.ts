/**
 * What init containers held is used again by those after them, of one pod, on the same nodes. An init
 * container leaves all that it had; what others take of it is no longer there for the next.
 *
 *   init 4Gi, init 6Gi, app 5Gi, app 3Gi   takes 4, then 2 more, then nothing, then 2 more
 *   their blocks afterwards                0, 0, 5Gi, 3Gi: the sum is what the node gave
 */
import type { ContainerRequest, PodRequest } from '../pod-request.ts'
import { type Block, type MemoryState, reusableBytes, reusableKey } from './state.ts'

type Served = {
  readonly pod: PodRequest
  readonly container: ContainerRequest
  readonly blocks: readonly Block[]
}

export function rememberReusable(
  state: MemoryState,
  { pod: { uid }, container: { kind }, blocks }: Served,
): MemoryState {
  const known = state.reusable.uid === uid ? state.reusable.amounts : {}
  const changed = blocks.map((block) => {
    const before = reusableBytes(state, uid, block)
    const after = kind === 'init' ? Math.max(before, block.bytes) : before - block.bytes
    return [reusableKey(block), Math.max(0, after)] as const
  })
  return { ...state, reusable: { uid, amounts: { ...known, ...Object.fromEntries(changed) } } }
}

/** Shrinks the blocks of earlier init containers by what this one takes over from them. */
export function reuseInitBlocks(
  state: MemoryState,
  { pod: { uid, containers }, container: { name }, blocks }: Served,
): MemoryState {
  const until = containers.findIndex((one) => one.name === name)
  const earlier = containers.slice(0, until).filter(({ kind }) => kind === 'init')
  const left = new Map(blocks.map((block) => [reusableKey(block), block.bytes]))
  const shrink = (block: Block): Block => {
    const taken = Math.min(block.bytes, left.get(reusableKey(block)) ?? 0)
    left.set(reusableKey(block), (left.get(reusableKey(block)) ?? 0) - taken)
    return { ...block, bytes: block.bytes - taken }
  }
  const held = new Map(state.held.map((one) => [`${one.uid}/${one.container}`, one]))
  for (const init of earlier) {
    const key = `${uid}/${init.name}`
    const one = held.get(key)
    if (one !== undefined) held.set(key, { ...one, blocks: one.blocks.map(shrink) })
  }
  return { ...state, held: [...held.values()] }
}
