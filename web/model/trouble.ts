/** Which nodes to look at first: who suffers, then who cannot be judged, then who is short. */
import type { NodeTile } from '../../src/apis/dashboard.ts'
import { span } from './time.ts'

export type NodeMode = NodeTile['mode']
export const modes: readonly NodeMode[] = ['overloaded', 'congested', 'unknown', 'uncongested']

/** A market that was not cleared for four intervals of 15 s is old. */
const OLD_MILLIS = 60_000

const isOld = (tile: NodeTile, now: number): boolean =>
  tile.clearedAt !== undefined && now - tile.clearedAt > OLD_MILLIS

/** In words, if anything is wrong with how a node is known. */
export function wrongWith(tile: NodeTile, now: number): string | undefined {
  const { silentSince, trouble } = tile
  if (silentSince !== undefined) return `agent silent for ${span(Math.max(0, now - silentSince))}`
  return trouble ?? (isOld(tile, now) ? 'its market is old' : undefined)
}

export const usedRatio = ({ used, allocatable }: NodeTile): number =>
  allocatable > 0 ? Math.min(1, used / allocatable) : 0

/** Greater is worse. The parts do not overlap: a kind of trouble outweighs all below it. */
export function troubleOf(tile: NodeTile, now: number): number {
  const unjudged = tile.trouble !== undefined || tile.mode === 'unknown' || isOld(tile, now)
  const kind =
    tile.mode === 'overloaded'
      ? 4
      : tile.suffering > 0
        ? 3
        : unjudged
          ? 2
          : tile.mode === 'congested'
            ? 1
            : 0
  return kind * 1e6 + Math.min(tile.suffering, 999) * 1e3 + usedRatio(tile)
}

export function countModes(tiles: readonly NodeTile[]): ReadonlyMap<NodeMode, number> {
  const counts = new Map<NodeMode, number>()
  for (const { mode } of tiles) counts.set(mode, (counts.get(mode) ?? 0) + 1)
  return counts
}
