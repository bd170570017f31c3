/**
 * Visits every choice of `size` of the items, in the order of the items, until `visit` says stop.
 *
 * The lists that it hands out are overwritten as it goes on, in the same places as the kubelet's: Go
 * grows a list by copying it at 1, 2, 4, 8, ... items, and between these all that begin alike share
 * one. The kubelet keeps such a list as its best choice, so from four NUMA nodes on it may take CPUs
 * from other nodes than those it judged best; to foretell what it does, so must we.
 *
 *   of 0 1 2 3 4, size 4: kept at the first visit, 0 1 2 3; read after the second, 0 1 2 4
 *   of 0 1 2 3 4, size 3: kept at the first visit, 0 1 2, and stays so
 *   of 0 1 2 3 4 5, size 5: kept at the first visit, 0 1 2 3 4, and stays so
 */
type Visit = (chosen: readonly number[]) => 'stop' | 'go on'

export function visitCombinations(items: readonly number[], size: number, visit: Visit): void {
  if (size > 0) extend([], { items, size, visit, from: 0, length: 0 })
}

type Step = {
  readonly items: readonly number[]
  readonly size: number
  readonly visit: Visit
  readonly from: number
  /** Of the choice so far; the list that holds it may be longer. */
  readonly length: number
}

function extend(chosen: number[], step: Step): 'stop' | 'go on' {
  const { items, size, visit, from, length } = step
  if (length === size) return visit(chosen)
  const isFull = (length & (length - 1)) === 0
  for (let i = from; i <= items.length - (size - length); i++) {
    const longer = isFull ? chosen.slice(0, length) : chosen
    longer[length] = items[i] as number
    const answer = extend(longer, { ...step, from: i + 1, length: length + 1 })
    if (answer === 'stop') return answer
  }
  return 'go on'
}
