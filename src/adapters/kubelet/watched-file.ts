import { statSync } from 'node:fs'

import type { Log } from '../../ports/log.ts'
import { readFileText, regularOnly } from '../text-file.ts'

type WatchedFile<T> = {
  readonly path: string
  readonly parse: (text: string) => T
  readonly log: Log
}

/**
 * Gives what a file last said, at the price of a stat while it stays the same. Undefined without such
 * a file. One that cannot be read is told once, and what was known stands.
 */
export function watchFile<T>({ path, parse, log }: WatchedFile<T>): () => T | undefined {
  let known: T | undefined
  let version = ABSENT
  let told = ''
  return () => {
    try {
      const now = versionOf(path)
      if (now !== version) {
        known = now === ABSENT ? undefined : parse(readFileText(path, regularOnly))
        version = now
        told = ''
      }
    } catch (error) {
      const said = String(error)
      if (said !== told) log('warn', 'file of the kubelet not read', { path, error })
      told = said
    }
    return known
  }
}

const ABSENT = 'absent'

/** The kubelet replaces its files, so that another content is another inode. */
function versionOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? ABSENT : `${found.ino} ${found.size} ${found.mtimeMs}`
}
