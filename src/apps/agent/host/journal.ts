/** Keeps what was found outside the process, and undoes what was changed. */
import { type HostState, type KeptGroup, readHostState } from '../../../apis/host-state.ts'
import type { CpusetChange } from '../../../core/cgroup/plan-cpuset.ts'
import type { SettingChange } from '../../../core/cgroup/plan-writes.ts'
import { InvalidInput } from '../../../core/errors.ts'
import type { CgroupWriter, GroupPlace, Written } from '../../../ports/cgroup.ts'
import type { Cpusets } from '../../../ports/cpuset.ts'
import type { KeptDocument } from '../../../ports/kept-document.ts'
import type { Log } from '../../../ports/log.ts'
import { keepCpusets } from './kept-cpusets.ts'
import { keepFound, keepOurs, undo } from './state.ts'

export type Machine = {
  readonly bootId: string
  readonly self: HostState['owner']
  /** When the process with that number started; undefined when there is none. */
  readonly startTicksOf: (pid: number) => number | undefined
}

export type JournalNeeds = {
  readonly keeper: KeptDocument
  readonly machine: Machine
  readonly writer: CgroupWriter
  readonly cpusets: Cpusets
  readonly log: Log
}

export type GroupChange = { readonly place: GroupPlace } & SettingChange

export type Journal = {
  /** Writes to the kernel what can be undone later. */
  readonly write: (changes: readonly GroupChange[]) => Written
  /** The group is gone, and what was found in it. */
  readonly forget: (path: string) => void
  /** Writes cpusets that can be undone later; in words why one failed, if it did. */
  readonly pin: (changes: readonly CpusetChange[]) => string | undefined
  /** The group is gone: what is left of its cpuset is undone. */
  readonly unpin: (path: string) => void
  /** Brings back what was found; false where that failed, and the state is kept. */
  readonly restore: () => boolean
}

/** Takes the state over, and first undoes what an agent left behind that did not end in order. */
export function openJournal(needs: JournalNeeds): Journal {
  const { keeper, machine, writer, log } = needs
  const kept = new Map<string, KeptGroup>()
  const pinned = keepCpusets(needs)
  const save = (): void => {
    const { bootId, self: owner } = machine
    const state: HostState = { bootId, owner, groups: [...kept.values()], cpusets: pinned.all() }
    keeper.save(state)
  }

  /** Group by group, so that one that refuses keeps no other from it. */
  const undoQuotas = (): readonly string[] =>
    [...kept.values()].flatMap((group) => {
      const place = { path: group.path }
      const now = writer.settings(place)
      if (now === undefined) {
        log('info', 'group gone, nothing to restore', named(group))
        return []
      }
      const { change, left } = undo(group, now)
      for (const reason of left) log('warn', 'left as someone set it', { ...named(group), reason })
      const { wrote, refused } = writer.write([{ place, ...change }])
      for (const value of wrote) log('info', 'restored', { ...named(group), value })
      for (const reason of refused) log('error', 'not restored', { ...named(group), reason })
      return refused
    })

  const undoAll = (): readonly string[] => [...undoQuotas(), ...pinned.undo()]

  const before = previousState(keeper, machine)
  if (before !== undefined && before.bootId !== machine.bootId) {
    log('info', 'state of an earlier boot ignored', { state: keeper.where })
  } else if (before !== undefined) {
    for (const group of before.groups) kept.set(group.path, group)
    pinned.takeOver(before.cpusets)
    const refused = undoAll()
    if (refused.length > 0) {
      throw new InvalidInput(
        `restoring what an agent left behind, by ${keeper.where}: ${refused.join('; ')}`,
      )
    }
    kept.clear()
    pinned.takeOver([])
  }
  save()

  return {
    write: (changes) => {
      for (const { place, ...change } of changes) {
        const now = writer.settings(place)
        if (now === undefined) continue
        const group = kept.get(place.path) ?? keepFound(place.path, now)
        kept.set(place.path, keepOurs(group, now, change))
      }
      save()
      return writer.write(changes)
    },
    forget: (path) => {
      writer.forget({ path })
      if (kept.delete(path)) save()
    },
    pin: (changes) => {
      pinned.note(changes)
      save()
      for (const change of changes) {
        const failure = needs.cpusets.write(change)
        // What follows rests on this one.
        if (failure !== undefined) return failure
      }
      return undefined
    },
    unpin: (path) => {
      pinned.drop(path)
      save()
    },
    restore: () => {
      if (undoAll().length > 0) return false
      keeper.remove()
      return true
    },
  }
}

const named = ({ path }: KeptGroup) => ({ group: path })

function previousState(keeper: KeptDocument, machine: Machine): HostState | undefined {
  const remedy =
    'if no host agent runs, check the quotas and cpusets of the groups and remove the file'
  let state: HostState
  try {
    const document = keeper.load()
    if (document === undefined) return undefined
    state = readHostState(document, keeper.where)
  } catch (error) {
    const { message } = error as Error
    throw new InvalidInput(`${message}\n${keeper.where}: ${remedy}`, { cause: error })
  }
  const { pid, startTicks } = state.owner
  if (state.bootId === machine.bootId && machine.startTicksOf(pid) === startTicks) {
    throw new InvalidInput(
      `${keeper.where}: expected no other agent of this state, but process ${pid} is one; end it, or name another file with --state`,
    )
  }
  return state
}
