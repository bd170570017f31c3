/** A document kept in a file. Whoever reads it finds one version or the other, never a part of one. */
import { existsSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { InvalidInput } from '../core/errors.ts'
import { Garbled, type KeptDocument } from '../ports/kept-document.ts'
import { checkOwner, replaceFile } from './replace-file.ts'
import { readFileText } from './text-file.ts'

/** Far above what we keep: more is somebody else's file. */
const MOST_BYTES = 1 << 20

/** What cannot even be looked at is there: why not is said when it is loaded. */
export function isKept(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

export function keepInFile(path: string): KeptDocument {
  const attempt = <T>(doing: string, work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (error instanceof InvalidInput) throw error
      throw new InvalidInput(`${doing} ${path}: ${reasonOf(error)}`, { cause: error })
    }
  }
  return {
    where: path,
    load: () =>
      attempt('reading', (): unknown => {
        // By what stands in it groups are changed, as root: it has to be ours, as we left it.
        const isThere = isOurs(path)
        // Also where nothing is kept yet: at the start it can be refused, and not when it is needed.
        if (isThere || existsSync(dirname(path))) checkFolder(dirname(path))
        return isThere ? parse(path) : undefined
      }),
    // Not synced: it is to survive the end of the process, not that of the machine.
    save: (document) =>
      attempt('writing', () => {
        const text = JSON.stringify(document)
        checkSize(Buffer.byteLength(text))
        mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
        isOurs(path)
        checkFolder(dirname(path))
        replaceFile(path, text, 0o600)
      }),
    remove: () => attempt('removing', () => rmSync(path, { force: true })),
  }
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileText(path, { mostBytes: MOST_BYTES, pipes: false }))
  } catch (error) {
    // Not opened, or not read: what stands in it may be well.
    const { cause, message } = error as Error
    if (cause instanceof Error && 'code' in cause) throw cause
    const said = error instanceof InvalidInput ? message : `reading ${path}: ${message}`
    throw new Garbled(said, { cause: error })
  }
}

/** False: there is no such file. Throws for all that is no regular file of ours. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (found.isSymbolicLink()) {
    throw new Error('it is a symbolic link; name the file that it leads to')
  }
  if (found.isDirectory()) throw new Error('it is a folder; name a file in it')
  if (!found.isFile()) throw new Error('it is no regular file; name another')
  checkOwner(found)
  return true
}

const remedies: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'make room on its file system'],
  ['EDQUOT', 'make room on its file system'],
  ['EROFS', 'name a file on a file system that can be written'],
  ['EACCES', 'run it as root'],
  ['EPERM', 'run it as root'],
])

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  const remedy = remedies.get(code)
  return remedy === undefined ? message : `${message}; ${remedy}`
}

const WRITABLE_BY_ALL = 0o002
const WRITABLE_BY_GROUP = 0o020
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
  if ((mode & STICKY) !== 0) return
  if ((mode & WRITABLE_BY_ALL) !== 0) {
    throw new Error(`everybody may write to its folder; run chmod go-w ${folder}`)
  }
  if ((mode & WRITABLE_BY_GROUP) !== 0) {
    throw new Error(`the group of its folder may write to it; run chmod g-w ${folder}`)
  }
}

function checkSize(bytes: number): void {
  if (bytes > MOST_BYTES) throw new Error(`expected at most ${MOST_BYTES} bytes, got ${bytes}`)
}
