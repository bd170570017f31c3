/**
 * The weights of groups: what we asked for, what stands there, and what has to be written. Whoever
 * else writes them, such as systemd after a reload, is put right at the next sample; whoever does so
 * again and again is not fought: that weight is left alone for a minute.
 */
import { isSameWeight } from '../../../core/enforcement/weigh.ts'
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

type Known = {
  readonly asked: number
  readonly now: number | undefined
  /** What stands there is what we asked for, or what the kernel made of it. */
  readonly isOurs: boolean
  /** When others wrote it, lately. */
  readonly foreign: readonly Millis[]
  readonly leftUntil: number
}

const MOST_FOREIGN = 8
const WITHIN_MILLIS = 10_000
const REST_MILLIS = 60_000

export function createWeights({ read, onForeign }: WeightNeeds): Weights {
  const known = new Map<string, Known>()

  /** Somebody else has written it since the last look. */
  const note = (path: string, before: Known, { to, at }: { to: number; at: Millis }): Known => {
    const foreign = [...before.foreign.filter((one) => at - one < WITHIN_MILLIS), at]
    const isLeft = foreign.length >= MOST_FOREIGN
    onForeign(path, { from: before.now, to, isLeft })
    const rest = isLeft ? { foreign: [], leftUntil: at + REST_MILLIS } : { foreign }
    return { ...before, now: to, isOurs: false, ...rest }
  }

  return {
    change: (path, shares, at) => {
      const before = known.get(path)
      if (before === undefined) return shares
      const now = read(path)
      if (now === undefined) return undefined
      const one = now === before.now ? before : note(path, before, { to: now, at })
      known.set(path, one)
      if (at < one.leftUntil) return undefined
      return one.isOurs && isSameWeight(one.asked, shares) ? undefined : shares
    },
    asked: (path, shares) => {
      const { foreign = [], leftUntil = -Infinity } = known.get(path) ?? {}
      known.set(path, { asked: shares, now: read(path), isOurs: true, foreign, leftUntil })
    },
    inForce: (path) => known.get(path)?.now,
    forget: (path) => void known.delete(path),
  }
}
