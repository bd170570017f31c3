/** What the scheduler says when no node will do, in the words of the real one. */

const counted = (reasons: ReadonlyMap<string, number>): string =>
  [...reasons]
    .flatMap(([reason, count]) => (count === 0 ? [] : [`${count} ${reason}`]))
    .toSorted()
    .join(', ')

export function unschedulableMessage(at: {
  readonly nodes: number
  /** On how many nodes each holds. */
  readonly reasons: ReadonlyMap<string, number>
  /** Nodes where taking pods away could have made room. */
  readonly forRoom: number
  readonly mayPreempt: boolean
}): string {
  const { nodes, reasons, forRoom, mayPreempt } = at
  if (nodes === 0) return 'no nodes available to schedule pods'
  const available = `0/${nodes} nodes are available:`
  const victims = new Map([
    ['No preemption victims found for incoming pod', forRoom],
    ['Preemption is not helpful for scheduling', nodes - forRoom],
  ])
  const preemption = mayPreempt
    ? `${available} ${counted(victims)}.`
    : 'not eligible due to preemptionPolicy=Never.'
  return `${available} ${counted(reasons)}. no new claims to deallocate, preemption: ${preemption}`
}
