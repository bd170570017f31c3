/** What an agent left behind that did not end in order. */
import { type HostState, readHostState } from '../../../apis/host-state.ts'
import { InvalidInput } from '../../../core/errors.ts'
import type { KeptDocument } from '../../../ports/kept-document.ts'

export type Machine = {
  readonly bootId: string
  readonly self: HostState['owner']
  /** When the process with that number started; undefined when there is none. */
  readonly startTicksOf: (pid: number) => number | undefined
}

/** Undefined if there is none. Throws if it is that of an agent that runs. */
export function previousState(keeper: KeptDocument, machine: Machine): HostState | undefined {
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
