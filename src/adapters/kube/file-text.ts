import { readFileSync } from 'node:fs'

/** At once, since these files are small and a token is wanted in the middle of a request. */
export function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new Error(`reading ${path}: ${causes[code] ?? code}`, { cause: error })
  }
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}
