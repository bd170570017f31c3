/**
 * Writes a file that others may read or want to plant: never through a symbolic link, never into a file of
 * somebody else, and never in parts. The text goes to a new file beside it, which then takes its name.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants

/** What is wrong is thrown as an `Error`; `mode` is who may read it. */
export function replaceFile(path: string, text: string, mode: number): void {
  if (isDevice(path)) {
    writeFileSync(path, text)
    return
  }
  checkReplaceable(path)
  const next = `${path}.next`
  rmSync(next, { force: true }) // of one that ended in the midst of it; of a link, the link itself
  // Nobody could have put a link or a file there: it is made here, or not at all.
  const file = openSync(next, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, mode)
  try {
    try {
      writeFileSync(file, text)
    } finally {
      closeSync(file)
    }
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

/** For what is written bit by bit: the file itself, emptied. */
export function openReplacing(path: string, mode: number): number {
  if (isDevice(path)) return openSync(path, 'w')
  checkReplaceable(path)
  const file = openSync(path, O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY, mode)
  try {
    checkOwn(fstatSync(file)) // it may have changed since it was looked at
    ftruncateSync(file)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Such as /dev/stdout, which is a link to wherever the output goes, and /dev/null. */
const isDevice = (path: string): boolean => /^\/dev\/(?:stdout|stderr|null|tty|fd\/\d+)$/.test(path)

/** A file that is not there, or a regular one of ours. */
export function checkReplaceable(path: string): void {
  if (isDevice(path)) return
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) {
    statSync(dirname(path)) // without it nothing can be made there
    return
  }
  if (found.isSymbolicLink()) {
    throw new Error('it is a symbolic link; name the file that it leads to, or remove it')
  }
  checkOwn(found)
}

type Found = { readonly uid: number; isFile(): boolean; isDirectory(): boolean }

function checkOwn(found: Found): void {
  if (found.isDirectory()) throw new Error('it is a folder; name a file in it')
  if (!found.isFile()) throw new Error('it is no regular file; give another path')
  checkOwner(found)
}

/** Never with the advice to remove it: it may be the only record of something. */
export function checkOwner({ uid }: Pick<Found, 'uid'>): void {
  const own = process.geteuid?.()
  if (own === undefined || uid === own) return
  throw new Error(
    uid === 0
      ? `it belongs to root, and we are uid ${own}; run it as root`
      : `it belongs to somebody else (uid ${uid}, we are ${own}); give another path`,
  )
}
