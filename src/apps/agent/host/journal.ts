/** Keeps what was found outside the process, and undoes what was changed. */
import type { HostState, KeptGroup } from '../../../apis/host-state.ts'
import type { CpusetChange } from '../../../core/cgroup/plan-cpuset.ts'
import type { SettingChange } from '../../../core/cgroup/plan-writes.ts'
import { InvalidInput } from '../../../core/errors.ts'
import type { CgroupWriter, GroupPlace, Written } from '../../../ports/cgroup.ts'
import type { Cpusets } from '../../../ports/cpuset.ts'
import type { KeptDocument } from '../../../ports/kept-document.ts'
import type { Log } from '../../../ports/log.ts'
import { keepCpusets } from './kept-cpusets.ts'
import { type Machine, previousState } from './previous-state.ts'
import { keepPlanned } from './state.ts'
import { undoGroups } from './undoing.ts'

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
  /** There is no such group any longer: what was done to it is undone if it is elsewhere. */
  readonly forget: (path: string) => void
  /** Writes cpusets that can be undone later; in words why one failed, if it did. */
  readonly pin: (changes: readonly CpusetChange[]) => string | undefined
  /** The group is gone: what is left of its cpuset is undone. */
  readonly unpin: (path: string) => void
  /** Tries again to keep the state, where the last time failed. */
  readonly keepAgain: () => void
  /** Why the state is not kept, so that nothing is written: in words; undefined if it is. */
  readonly notKept: () => string | undefined
  /** Brings back what was found, once; false where that failed, and the state is kept. */
  readonly restore: () => boolean
}

/** What to do about an agent that runs: another may run beside it, on other groups. */
export const beforeStart = 'end it, or name another file with --state'

/** Takes the state over, and first undoes what an agent left behind that did not end in order. */
export function openJournal(needs: JournalNeeds): Journal {
  const { undoLeftBehind, save, ...journal } = createJournal(needs)
  undoLeftBehind(beforeStart)
  try {
    save()
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    throw new InvalidInput(
      `all groups are as they were found, but the state could not be written: ${error.message}`,
      { cause: error },
    )
  }
  return journal
}

/** Only undoes what was left behind, and writes no state: a disk that is full does not matter. */
export function restoreLeftBehind(
  needs: JournalNeeds,
  whileRunning = 'end it, and it restores what it found',
): void {
  createJournal(needs).undoLeftBehind(whileRunning)
  needs.keeper.remove()
}

type Opening = Journal & {
  readonly undoLeftBehind: (whileRunning: string) => void
  readonly save: () => void
}

function createJournal(needs: JournalNeeds): Opening {
  const { keeper, machine, writer, log } = needs
  /** By identity: a group that is renamed and one that takes its name are two. */
  const kept = new Map<string, KeptGroup>()
  const pinned = keepCpusets(needs)
  let isOver = false
  let notKept: string | undefined

  const save = (): void => {
    const { bootId, self: owner } = machine
    const state: HostState = { bootId, owner, groups: [...kept.values()], cpusets: pinned.all() }
    try {
      keeper.save(state)
      notKept = undefined
    } catch (error) {
      notKept = (error as Error).message
      throw error
    }
  }
  /** Where what is kept already would do, or where undoing matters more. */
  const trySave = (): void => {
    try {
      save()
    } catch (error) {
      log('error', 'state not kept', { error })
    }
  }

  /** `keep` is called when it is known what will be written, and before it is. */
  const writeWith =
    (keep: () => void) =>
    (changes: readonly GroupChange[]): Written => {
      const ids: string[] = []
      const written = writer.write(changes, (planned) => {
        for (const one of planned) {
          ids.push(one.id)
          kept.set(one.id, keepPlanned(kept.get(one.id), one))
        }
        keep()
      })
      if (ids.length === 0 || written.refused.length > 0) return written
      // All is written: what stood before or between is no longer ours, should somebody set it.
      for (const id of ids) {
        const group = kept.get(id)
        if (group !== undefined) kept.set(id, { ...group, ours: group.ours.slice(-1) })
      }
      trySave()
      return written
    }

  const undo = (groups: readonly KeptGroup[]): readonly string[] => {
    const { left, refused } = undoGroups(groups, { writer, write: writeWith(trySave), log })
    for (const { id } of groups) {
      if (!left.some((group) => group.id === id)) kept.delete(id)
    }
    return refused
  }

  const undoAll = (): readonly string[] => {
    const refused = [...undo([...kept.values()]), ...pinned.undo()]
    if (refused.length > 0) trySave()
    return refused
  }

  const undoLeftBehind = (whileRunning: string): void => {
    const before = previousState(keeper, machine, whileRunning)
    if (before.is === 'of an earlier boot') {
      log('info', 'state of an earlier boot ignored', { state: keeper.where })
    }
    if (before.is !== 'left behind') return
    for (const group of before.state.groups) kept.set(group.id, group)
    pinned.takeOver(before.state.cpusets)
    const refused = undoAll()
    if (refused.length > 0) {
      throw new InvalidInput(
        `restoring what an agent left behind: ${refused.join('; ')}; what was found is in ${keeper.where}: set it by hand and remove the file, or remove what is in the way and start again`,
      )
    }
    pinned.takeOver([])
  }

  return {
    undoLeftBehind,
    save,
    keepAgain: () => {
      if (notKept !== undefined && !isOver) trySave()
    },
    notKept: () => notKept,
    write: writeWith(save),
    forget: (path) => {
      const groups = [...kept.values()].filter((group) => group.path === path)
      if (groups.length === 0) return
      undo(groups)
      save()
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
      if (isOver) return true
      if (undoAll().length > 0) return false
      // From here on the file may be another agent's.
      isOver = true
      keeper.remove()
      return true
    },
  }
}
