import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

import { InvalidInput } from '../core/errors.ts'

/** What messages call it. */
export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path)

/** The text of a file, or of standard input for `-`. */
export async function readText(path: string): Promise<string> {
  if (path !== '-') return readFileText(path)
  if (process.stdin.isTTY) {
    throw new InvalidInput(
      'reading standard input: expected a file or a pipe, got a terminal; name a file with -f',
    )
  }
  try {
    // As a stream: a read of descriptor 0 fails when the writer of the pipe is slower than we are.
    return await text(process.stdin)
  } catch (error) {
    throw unreadable(nameOf(path), error)
  }
}

export function readFileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(name: string, error: unknown): InvalidInput {
  const code = (error as NodeJS.ErrnoException).code ?? String(error)
  const causes: Record<string, string> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
  }
  return new InvalidInput(`reading ${name}: ${causes[code] ?? code}`, { cause: error })
}
