/** What was found in cpusets before ours, and how it comes back. */
import type { KeptCpuset } from '../../../apis/host-state.ts'
import { type Cpuset, type CpusetChange, emptyCpuset } from '../../../core/cgroup/plan-cpuset.ts'
import type { Cpusets } from '../../../ports/cpuset.ts'
import type { Log } from '../../../ports/log.ts'

export type KeptCpusets = {
  readonly all: () => KeptCpuset[]
  /** Before a write. What was found first is what counts. */
  readonly note: (changes: readonly CpusetChange[]) => void
  /** Of a group that is gone or no longer ours: undone where it still stands. */
  readonly drop: (path: string) => void
  readonly takeOver: (kept: readonly KeptCpuset[]) => void
  /** What was refused, in words. */
  readonly undo: () => readonly string[]
}

type Needs = { readonly cpusets: Cpusets; readonly log: Log }

export function keepCpusets({ cpusets, log }: Needs): KeptCpusets {
  const kept = new Map<string, KeptCpuset>()

  const undoOne = ({ path, found, ours }: KeptCpuset): readonly string[] => {
    const named = { group: path }
    const now = cpusets.wayTo(path).at(-1)?.set ?? null
    if (isSame(now, found)) return []
    if (now === null) {
      log('info', 'group gone, no cpuset to restore', named)
      return []
    }
    if (!isBetween(now, found ?? emptyCpuset, ours)) {
      const reason = `its cpuset is ${wordsOf(now)}: found ${wordsOf(found)}, last set to ${wordsOf(ours)}`
      log('warn', 'left as someone set it', { ...named, reason })
      return []
    }
    const failure = bringBack(cpusets, { path, found, now })
    const value = `cpuset of ${path} from ${wordsOf(now)} to ${wordsOf(found)}`
    if (failure === undefined) log('info', 'restored', { ...named, value })
    else log('error', 'not restored', { ...named, reason: failure })
    return failure === undefined ? [] : [failure]
  }

  return {
    all: () => [...kept.values()],
    note: (changes) => {
      for (const { path, from, to } of changes) {
        const found = kept.has(path) ? (kept.get(path)?.found ?? null) : from
        kept.set(path, { path, found, ours: to })
      }
    },
    drop: (path) => {
      const one = kept.get(path)
      if (one !== undefined && undoOne(one).length === 0) kept.delete(path)
    },
    takeOver: (before) => {
      kept.clear()
      for (const one of before) kept.set(one.path, one)
    },
    // From the bottom up: a group above can lose only what none below has.
    undo: () => [...kept.values()].toReversed().flatMap(undoOne),
  }
}

/** Processes that came to a group which was not there, or could hold none, go to the group above. */
function bringBack(
  cpusets: Cpusets,
  { path, found, now }: Pick<KeptCpuset, 'path' | 'found'> & { readonly now: Cpuset },
): string | undefined {
  const heldNone = found === null || (found.cpus === '' && !cpusets.inherits)
  const failure = heldNone ? cpusets.release(path) : undefined
  if (failure !== undefined) return failure
  return found === null ? cpusets.remove(path) : cpusets.write({ path, from: now, to: found })
}

const isSame = (one: Cpuset | null, other: Cpuset | null): boolean =>
  one?.cpus === other?.cpus && one?.mems === other?.mems

/** An agent may have ended with one file written and the other not. */
const isBetween = (now: Cpuset, found: Cpuset, ours: Cpuset): boolean =>
  [found.cpus, ours.cpus].includes(now.cpus) && [found.mems, ours.mems].includes(now.mems)

export const wordsOf = (set: Cpuset | null): string =>
  set === null ? 'none' : `CPUs "${set.cpus}" and memory nodes "${set.mems}"`
