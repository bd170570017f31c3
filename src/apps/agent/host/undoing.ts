/** Brings groups back to what was found in them, under whatever name they are now. */
import type { KeptGroup } from '../../../apis/host-state.ts'
import type { SettingChange } from '../../../core/cgroup/plan-writes.ts'
import type { CgroupWriter } from '../../../ports/cgroup.ts'
import type { Log } from '../../../ports/log.ts'
import type { GroupChange } from './journal.ts'
import { allWordsOf, restoring, takeOthers } from './state.ts'

export type UndoingNeeds = {
  readonly writer: Pick<CgroupWriter, 'settings' | 'identityOf' | 'pathOf'>
  /** Writes what can be undone later: it may end between any two writes. */
  readonly write: (changes: readonly GroupChange[]) => Outcome
  readonly log: Log
}

type Outcome = { readonly wrote: readonly string[]; readonly refused: readonly string[] }

export type Undone = {
  /** Those that could not be brought back. */
  readonly left: readonly KeptGroup[]
  /** Why not, in words. */
  readonly refused: readonly string[]
}

export function undoGroups(groups: readonly KeptGroup[], needs: UndoingNeeds): Undone {
  const { writer, write, log } = needs

  /** One without settings has nothing to restore: it is gone, or the controller was taken from it. */
  const look = (group: KeptGroup): KeptGroup[] => {
    const path = writer.identityOf(group) === group.id ? group.path : writer.pathOf(group.id)
    const now = path === undefined ? undefined : writer.settings({ path })
    if (path === undefined || now === undefined) {
      const found = allWordsOf(group.found)
      log('info', 'group gone, nothing to restore', { group: group.path, found })
      return []
    }
    if (path !== group.path) log('warn', 'group renamed', { group: group.path, to: path })
    const { kept, others } = takeOthers({ ...group, path }, now)
    for (const reason of others) log('warn', 'left as someone set it', { group: path, reason })
    return [kept]
  }

  const attempt = ({ path }: KeptGroup, change: SettingChange): readonly string[] => {
    const { wrote, refused } = write([{ place: { path }, ...change }])
    for (const value of wrote) log('info', 'restored', { group: path, value })
    return refused
  }

  let left = groups.flatMap(look)
  // A group above may have to go first, or one below it: round after round, until none gets further.
  for (let before = Infinity; left.length > 0 && left.length < before;) {
    before = left.length
    left = left.filter((group) => attempt(group, restoring(group)).length > 0)
  }
  const failed = left.flatMap((group) => {
    const refused = goAround(group, attempt)
    for (const reason of refused) {
      const found = allWordsOf(group.found)
      log('error', 'not restored', { group: group.path, reason, found })
    }
    return refused.length === 0 ? [] : [{ group, refused }]
  })
  return {
    left: failed.map(({ group }) => group),
    refused: failed.flatMap(({ refused }) => refused),
  }
}

/**
 * While a period changes its group is allowed less than before and after, which v1 refuses if a group
 * below has a quota above that. Without a quota of its own it is allowed what the group above is.
 */
function goAround(
  group: KeptGroup,
  attempt: (group: KeptGroup, change: SettingChange) => readonly string[],
): readonly string[] {
  const { periodMicros } = group.found
  const way = [{ quotaMicros: null }, { quotaMicros: null, periodMicros }, restoring(group)]
  for (const change of way) {
    const refused = attempt(group, change)
    if (refused.length > 0) return refused
  }
  return []
}
