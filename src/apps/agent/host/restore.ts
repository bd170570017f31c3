/** `mbcas agent --host --restore`: undoes what an agent left behind, and says so in words. */
import type { Log } from '../../../ports/log.ts'

export type Restoring = {
  /** The state, and whether there is one. */
  readonly where: string
  readonly isLeftBehind: boolean
  /** Restores what the state has; throws where that fails. */
  readonly restore: (log: Log) => void
  readonly print: (line: string) => void
}

/** The exit code. What cannot be restored throws as bad input, with the remedy. */
export function restoreInWords({ where, isLeftBehind, restore, print }: Restoring): number {
  const say = (line: string): void => print(`${line}\n`)
  if (!isLeftBehind) {
    say(`nothing to restore: there is no ${where}`)
    return 0
  }
  let values = 0
  restore((level, message, { value, ...more } = {}) => {
    // What could not be done is in the error.
    if (level === 'error') return
    if (typeof value === 'string') {
      values += 1
      say(`restored ${value}`)
    } else say(wordsOf(message, more))
  })
  say(values === 0 ? 'nothing to restore' : `restored ${values} value${values === 1 ? '' : 's'}`)
  return 0
}

/** Such as `services/api: group renamed: services/web`. */
function wordsOf(message: string, { group, ...more }: Readonly<Record<string, unknown>>): string {
  const parts = [group, message, ...Object.values(more)]
  return parts.filter((part) => typeof part === 'string').join(': ')
}
