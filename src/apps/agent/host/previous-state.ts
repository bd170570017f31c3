/** What an agent left behind that did not end in order. */
import {
  type AnyHostState,
  glanceAtHostState,
  type HostState,
  readHostState,
} from '../../../apis/host-state.ts'
import { InvalidInput } from '../../../core/errors.ts'
import { Garbled, type KeptDocument } from '../../../ports/kept-document.ts'
import { wordsOf } from './kept-cpusets.ts'
import { allWordsOf } from './state.ts'

export type Machine = {
  readonly bootId: string
  readonly self: HostState['owner']
  /** When the process with that number started; undefined when there is none. */
  readonly startTicksOf: (pid: number) => number | undefined
}

export type Previous =
  | { readonly is: 'none' }
  /** Its groups are gone with that boot, whatever version wrote it. */
  | { readonly is: 'of an earlier boot' }
  | { readonly is: 'left behind'; readonly state: HostState }

/** Throws if it is that of an agent that runs, with what to do about it. */
export function previousState(
  keeper: KeptDocument,
  machine: Machine,
  whileRunning: string,
): Previous {
  const document = loadFrom(keeper)
  if (document === undefined) return { is: 'none' }
  const seen = glanceAtHostState(document)
  if (seen !== undefined && seen.bootId !== machine.bootId) return { is: 'of an earlier boot' }
  if (seen?.owner !== undefined) {
    const { pid, startTicks } = seen.owner
    if (machine.startTicksOf(pid) === startTicks) {
      throw new InvalidInput(
        `${keeper.where}: expected no other agent of this state, but process ${pid} is one; ${whileRunning}`,
      )
    }
  }
  try {
    return { is: 'left behind', state: readHostState(document, keeper.where) }
  } catch (error) {
    throw refuse(keeper.where, error as Error, seen)
  }
}

function loadFrom(keeper: KeptDocument): unknown {
  try {
    return keeper.load()
  } catch (error) {
    // All else says what to do, and that is not to remove the only record.
    throw error instanceof Garbled ? refuse(keeper.where, error) : error
  }
}

/** Nothing but a person can restore it: with all that is known of what was found. */
function refuse(where: string, error: Error, seen?: AnyHostState): InvalidInput {
  const found = seen === undefined ? [] : foundIn(seen)
  const check =
    found.length === 0
      ? 'if no host agent runs, check the quotas and cpusets of the groups first, then remove the file'
      : 'it may be of another version of mbcas; set these groups by hand to what was found in them, then remove the file:'
  const lines = [error.message, `${where}: ${check}`, ...found.map((line) => `  ${line}`)]
  return new InvalidInput(lines.join('\n'), { cause: error })
}

const foundIn = ({ groups, cpusets }: AnyHostState): string[] => [
  ...groups.map(({ path, found }) => `${path}: ${allWordsOf(found)}`),
  ...cpusets.map(({ path, found }) => `${path}: cpuset ${wordsOf(found)}`),
]
