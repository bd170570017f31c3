/**
 * Objective: what several containers move in one direction, together no more than `room`.
 * Method: the room is split in proportion to what each would move, exactly. What does not make a whole
 * step of the grid goes to the next container, and in the end less than one step is left over.
 * Complexity: O(containers).
 *
 *   from 100, 100   to 200, 300   room 150   ->  150, 200
 *   from 100, 100   to 200, 50    room 30    ->  130, 50   (who moves the other way is let be)
 *   from 300, 200   to 100, 100   room 150   ->  200, 150  (downwards)
 */
import { type Millicores, split, sum } from '../units.ts'
import { ofName } from './containers.ts'
import { type Grid, roundDown, roundUp } from './quantise.ts'
import type { ContainerCpu, CpuField } from './types.ts'

export type Moves = {
  readonly field: CpuField
  readonly direction: 'up' | 'down'
  readonly from: readonly ContainerCpu[]
}

export function cutMoves(
  wish: readonly ContainerCpu[],
  { room, grid, ...moves }: Moves & { readonly room: number; readonly grid: Grid },
): readonly ContainerCpu[] {
  const sizes = moveSizes(wish, moves)
  if (sum(sizes) <= room) return wish
  const parts = split(Math.max(0, room) as Millicores, sizes)
  const { field, direction } = moves
  let rest = 0
  return wish.map((container, i) => {
    const [size, part] = [sizes[i] ?? 0, parts[i] ?? 0]
    if (size === 0) return container
    const start = startOf(container, moves)
    const move = Math.min(size, part + rest)
    const now = roundUp(start, grid[field])
    const [up, down] = [roundDown(start + move, grid[field]), roundUp(start - move, grid[field])]
    const isStep = direction === 'up' ? up > now : down < now
    const end = isStep ? { up, down }[direction] : start
    rest += part - Math.abs(end - start)
    return { ...container, [field]: end as Millicores }
  })
}

export const moveSizes = (wish: readonly ContainerCpu[], moves: Moves): readonly Millicores[] =>
  wish.map((container) => {
    const end = container[moves.field]
    if (end === undefined) return 0 as Millicores
    const rise = end - startOf(container, moves)
    return Math.max(0, moves.direction === 'up' ? rise : -rise) as Millicores
  })

const startOf = ({ name }: ContainerCpu, { field, from }: Moves): number =>
  ofName(from, name)?.[field] ?? 0
