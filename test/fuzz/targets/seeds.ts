/** Valid inputs to begin with: the examples of the package, and what was recorded. */
import { readdirSync, readFileSync } from 'node:fs'

import { parseAllDocuments } from 'yaml'

const root = new URL('../../../../', import.meta.url)

/** The documents of the files in a folder of the checkout, or of one file. */
export function documentsIn(path: string): unknown[] {
  const place = new URL(path, root)
  const files = path.endsWith('/')
    ? readdirSync(place)
        .filter((name) => /\.(ya?ml|json)$/.test(name))
        .map((name) => new URL(name, place))
    : [place]
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as unknown),
  )
}

/** Parsers of what the kernel or another server says throw plain errors, which their callers expect. */
export const isPlainError = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error
