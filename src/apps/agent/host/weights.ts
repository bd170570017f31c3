/**
 * The weights of groups: what we asked for, what stands there, and what has to be written. Whoever
 * else writes them, such as systemd after a reload, is put right at the next sample, unless that is
 * contested (`core/enforcement/contest.ts`).
 */
import { afterWrite, isDue, lookAt, type Watched } from '../../../core/enforcement/contest.ts'
import type { Millis } from '../../../core/units.ts'

export type Weights = {
  /** What to write; undefined where what stands there will do. */
  readonly change: (path: string, shares: number, at: Millis) => number | undefined
  /** After a write, whether or not it was done. */
  readonly asked: (path: string, shares: number) => void
  /** In cpu.shares, at the last look. */
  readonly inForce: (path: string) => number | undefined
  readonly forget: (path: string) => void
}

export type WeightNeeds = {
  /** What stands in the kernel now, in cpu.shares. */
  readonly read: (path: string) => number | undefined
  readonly onForeign: (path: string, foreign: Foreign) => void
}

export type Foreign = {
  readonly from: number | undefined
  readonly to: number
  /** It was written so often that it is left alone for a while. */
  readonly isLeft: boolean
}

export function createWeights({ read, onForeign }: WeightNeeds): Weights {
  const known = new Map<string, Watched>()

  return {
    change: (path, shares, at) => {
      const before = known.get(path)
      if (before === undefined) return shares
      const stands = read(path)
      if (stands === undefined) return undefined
      const { watched, news } = lookAt(before, stands, at)
      known.set(path, watched)
      if (news !== undefined) {
        onForeign(path, { from: before.stands, to: stands, isLeft: news === 'contested' })
      }
      return isDue(watched, shares, at) ? shares : undefined
    },
    asked: (path, shares) =>
      void known.set(path, afterWrite(known.get(path), { asked: shares, stands: read(path) })),
    inForce: (path) => known.get(path)?.stands,
    forget: (path) => void known.delete(path),
  }
}
