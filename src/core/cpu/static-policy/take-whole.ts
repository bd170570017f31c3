import type { Level } from '../topology.ts'
import { orderOf, type Selection, take } from './selection.ts'

/**
 * Takes free groups of a level while they fit in what is needed. The order stands before the first
 * is taken, and is not looked at again.
 */
export function takeWhole(selection: Selection, level: Level): void {
  const { members } = selection.topology[level]
  const whole = orderOf(selection, level).filter((group) => isWhole(selection, level, group))
  for (const group of whole) {
    const positions = members[group] ?? []
    if (selection.needed >= positions.length) take(selection, positions)
  }
}

/** NUMA nodes and caches are measured by their own size, sockets and cores by the average one. */
function isWhole({ topology, freeIn }: Selection, level: Level, group: number): boolean {
  const { members, averageSize } = topology[level]
  const hasOwnSize = level === 'numa' || level === 'uncore'
  return freeIn[level][group] === (hasOwnSize ? members[group]?.length : averageSize)
}
