import type { Clock } from '../../ports/clock.ts'
import { readFileText, regularOnly } from '../text-file.ts'
import type { TextSource } from './config.ts'

/** Kubernetes replaces tokens and certificates in place, long before the old ones end. */
const rereadAfter = 60_000

export type RotatingText = {
  /** The text as of at most a minute ago. A file that has gone keeps its last text. */
  readonly read: () => string
  /** The next `read` looks at the file. */
  readonly expire: () => void
}

export function rotatingText(source: TextSource, clock: Clock): RotatingText {
  if ('text' in source) return { read: () => source.text, expire: () => {} }
  let last: string | undefined
  let readAt = -Infinity
  return {
    read: () => {
      if (clock.now() - readAt < rereadAfter && last !== undefined) return last
      try {
        last = readOnce(source)
        readAt = clock.now()
      } catch (error) {
        if (last === undefined) throw error
      }
      return last
    },
    expire: () => {
      readAt = -Infinity
    },
  }
}

export function readOnce(source: TextSource): string {
  if ('text' in source) return source.text
  let text: string
  try {
    text = readFileText(source.file, regularOnly).trim()
  } catch (error) {
    const remedy = `check the path, and that uid ${process.getuid?.() ?? 'of this process'} may read it`
    throw new Error(`${source.name}: ${(error as Error).message}; ${remedy}`, { cause: error })
  }
  if (text === '')
    throw new Error(`${source.name}: ${source.file} is empty; write it again, or name another file`)
  return text
}
