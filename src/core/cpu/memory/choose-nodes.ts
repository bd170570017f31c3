/**
 * On which NUMA nodes a container gets its memory: those of the merged hint; without one, or if they
 * have too little, the best of the manager's own hints that contain them. What was preferred is not
 * given up for what is not.
 */
import { countNodes, type Hint, maskOf } from '../hint.ts'
import type { Refusal } from '../refusal.ts'
import { mayServeTogether, memoryHints, totalOf } from './hints.ts'
import { type Amounts, isEnough, type MemoryState, type NodeMemory } from './state.ts'

type Wanted = { readonly uid: string; readonly asked: Amounts; readonly hint: Hint }

/** Ascending ids. */
export function chooseNodes(
  state: MemoryState,
  { uid, asked, hint }: Wanted,
): readonly number[] | Refusal {
  const own = () => memoryHints(state, { uid, asked })
  let best = hint
  if (hint.affinity === null) {
    const found = bestOf(own(), state.nodes)
    if (found === undefined) {
      return {
        error:
          '[memorymanager] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available',
      }
    }
    if (best.preferred && !found.preferred) {
      return { error: '[memorymanager] failed to find the default preferred hint' }
    }
    best = found
  }
  const wanted = best.affinity ?? []
  if (!hasFree(nodesOf(state, wanted), asked)) {
    const wider = own().filter(({ affinity }) => wanted.every((id) => affinity?.includes(id)))
    const found = bestOf(wider, state.nodes)
    if (found === undefined) {
      return {
        error: '[memorymanager] failed to find NUMA nodes to extend the current topology hint',
      }
    }
    if (best.preferred && !found.preferred) {
      return { error: '[memorymanager] failed to find the extended preferred hint' }
    }
    best = found
  }
  const chosen = nodesOf(state, best.affinity ?? [])
  if (chosen.length > 1 && !mayServeTogether(chosen)) {
    return { error: '[memorymanager] preferred hint violates NUMA node allocation' }
  }
  return chosen.map(({ numa }) => numa)
}

const nodesOf = ({ nodes }: MemoryState, ids: readonly number[]): NodeMemory[] =>
  nodes.filter(({ numa }) => ids.includes(numa))

const hasFree = (nodes: readonly NodeMemory[], asked: Amounts): boolean =>
  Object.entries(asked).every(([resource, bytes]) =>
    isEnough(totalOf(nodes, 'free', resource), bytes),
  )

/** A preferred one, then one of few nodes, then one of nodes with low ids. */
function bestOf(hints: readonly Hint[], nodes: readonly NodeMemory[]): Hint | undefined {
  const ids = nodes.map(({ numa }) => numa)
  const masked = hints.map((hint) => ({ hint, mask: maskOf(hint.affinity ?? [], ids) }))
  masked.sort(
    (a, b) =>
      Number(b.hint.preferred) - Number(a.hint.preferred) ||
      countNodes(a.mask) - countNodes(b.mask) ||
      a.mask - b.mask,
  )
  return masked[0]?.hint
}
