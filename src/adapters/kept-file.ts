/** A document kept in a file. Whoever reads it finds one version or the other, never a part of one. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { InvalidInput } from '../core/errors.ts'
import type { KeptDocument } from '../ports/kept-document.ts'

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
        const { size } = statSync(path, { throwIfNoEntry: false }) ?? {}
        if (size === undefined) return undefined
        checkSize(size)
        return JSON.parse(readFileSync(path, 'utf8'))
      }),
    // Not synced: it is to survive the end of the process, not that of the machine.
    save: (document) =>
      attempt('writing', () => {
        const text = JSON.stringify(document)
        checkSize(Buffer.byteLength(text))
        mkdirSync(dirname(path), { recursive: true })
        const next = `${path}.next`
        writeFileSync(next, text, { mode: 0o600 })
        renameSync(next, path)
      }),
    remove: () => attempt('removing', () => rmSync(path, { force: true })),
  }
}

function checkSize(bytes: number): void {
  if (bytes > MOST_BYTES) throw new Error(`expected at most ${MOST_BYTES} bytes, got ${bytes}`)
}
