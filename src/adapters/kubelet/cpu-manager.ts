import { readFileSync, statSync } from 'node:fs'

import type { CpuManagerState } from '../../ports/cpu-manager.ts'
import type { Log } from '../../ports/log.ts'
import { parseCpuManager } from './parse-cpu-manager.ts'

/**
 * Gives what the kubelet's CPU manager last wrote, at the price of a stat while that stays the same.
 * Undefined without such a file. One that cannot be read is told once, and what was known stands.
 */
export function openCpuManager(path: string, log: Log): () => CpuManagerState | undefined {
  let known: CpuManagerState | undefined
  let version = ''
  let told = ''
  return () => {
    try {
      const now = versionOf(path)
      if (now !== version) {
        known = now === ABSENT ? undefined : parseCpuManager(readFileSync(path, 'utf8'))
        version = now
        told = ''
      }
    } catch (error) {
      const said = String(error)
      if (said !== told) log('warn', 'state of the cpu manager not read', { path, error })
      told = said
    }
    return known
  }
}

const ABSENT = 'absent'

/** The kubelet replaces the file, so that another content is another inode. */
function versionOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? ABSENT : `${found.ino} ${found.size} ${found.mtimeMs}`
}
