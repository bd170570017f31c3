/** A document kept in a file. Whoever reads it finds one version or the other, never a part of one. */
import { lstatSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { InvalidInput } from '../core/errors.ts'
import type { KeptDocument } from '../ports/kept-document.ts'
import { checkReplaceable, replaceFile } from './replace-file.ts'
import { readFileText } from './text-file.ts'

/** Far above what we keep: more is somebody else's file. */
const MOST_BYTES = 1 << 20

export function keepInFile(path: string): KeptDocument {
  const attempt = <T>(doing: string, work: () => T): T => {
    try {
      return work()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new InvalidInput(`${doing} ${path}: ${reason}`, { cause: error })
    }
  }
  return {
    where: path,
    load: () =>
      attempt('reading', (): unknown => {
        // By what stands in it groups are changed, as root: it has to be ours, as we left it.
        if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined
        checkReplaceable(path)
        checkFolder(dirname(path))
        return JSON.parse(readFileText(path, { mostBytes: MOST_BYTES, pipes: false }))
      }),
    // Not synced: it is to survive the end of the process, not that of the machine.
    save: (document) =>
      attempt('writing', () => {
        const text = JSON.stringify(document)
        checkSize(Buffer.byteLength(text))
        mkdirSync(dirname(path), { recursive: true })
        checkFolder(dirname(path))
        replaceFile(path, text, 0o600)
      }),
    remove: () => attempt('removing', () => rmSync(path, { force: true })),
  }
}

const WRITABLE_BY_ALL = 0o002
const STICKY = 0o1000

/** Whoever may rename files in it can put another in the place of ours. */
function checkFolder(folder: string): void {
  const { uid, mode } = statSync(folder)
  const own = process.geteuid?.() ?? uid
  if (uid !== own && uid !== 0) {
    throw new Error(
      `its folder belongs to somebody else (uid ${uid}, we are ${own}); use one of your own`,
    )
  }
  if ((mode & WRITABLE_BY_ALL) !== 0 && (mode & STICKY) === 0) {
    throw new Error(`everybody may write to its folder; run chmod o-w ${folder}`)
  }
}

function checkSize(bytes: number): void {
  if (bytes > MOST_BYTES) throw new Error(`expected at most ${MOST_BYTES} bytes, got ${bytes}`)
}
