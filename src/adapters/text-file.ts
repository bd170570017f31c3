import { readFileSync } from 'node:fs'

import { InvalidInput } from '../core/errors.ts'

/** The text of a file, or of standard input for `-`. */
export function readText(path: string): string {
  if (path === '-' && process.stdin.isTTY) {
    throw new InvalidInput(
      'reading standard input: expected a file or a pipe, got a terminal; name a file with -f',
    )
  }
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    const causes: Record<string, string> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder',
      EACCES: 'permission denied',
    }
    throw new InvalidInput(`reading ${path}: ${causes[code] ?? code}`, { cause: error })
  }
}
