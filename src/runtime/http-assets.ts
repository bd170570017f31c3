/**
 * The files of a page, kept in memory with what a browser asks for: a type, a tag, a short form. The
 * page names its parts with a hash of their content (`app.js?v=3F9A...`), so that a browser keeps them
 * for ever and still gets the new ones; the page itself is asked for again each time.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { compressOnce, type Encoding, encodingFor, LEAST_BYTES } from './http-compress.ts'
import type { HttpReply, HttpRequest } from './http-server-answer.ts'

export type Assets = {
  /** Undefined where there is no such file. */
  readonly find: (request: Pick<HttpRequest, 'path' | 'query' | 'headers'>) => HttpReply | undefined
}

type File = {
  readonly bytes: Buffer
  /** Of its content. */
  readonly hash: string
  readonly type: string
  readonly short: Map<Encoding, Buffer>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
const isText = (type: string): boolean => /^text|json|svg/.test(type)

/** None, where there is no such folder. */
export function loadAssets(folder: URL): Assets {
  const files = readFiles(fileURLToPath(folder))
  return {
    find: ({ path, query, headers }) => {
      const file = files.get(path)
      if (file === undefined) return undefined
      const { bytes, hash, type } = file
      const tag = `"${hash}"`
      const isNamed = query.get('v') === hash
      const told = {
        etag: tag,
        'cache-control': isNamed ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
      }
      if (headers['if-none-match'] === tag) return { status: 304, type, headers: told, body: '' }
      const isShortened = isText(type) && bytes.length >= LEAST_BYTES
      const encoding = isShortened
        ? encodingFor(headers['accept-encoding'], ['br', 'gzip'])
        : undefined
      if (encoding === undefined) return { type, headers: told, body: bytes }
      const body = shortOf(file, encoding)
      return { type, headers: { ...told, 'content-encoding': encoding }, body }
    },
  }
}

function shortOf({ bytes, short }: File, encoding: Encoding): Buffer {
  const known = short.get(encoding) ?? compressOnce(bytes, encoding)
  short.set(encoding, known)
  return known
}

/** By path, such as `/index.html`. */
function readFiles(folder: string): ReadonlyMap<string, File> {
  const files = new Map<string, File>()
  const pages: string[] = []
  for (const entry of entriesIn(folder)) {
    if (!entry.isFile()) continue // what lies in folders below is not of the page
    const path = `/${entry.name}`
    files.set(path, fileOf(readFileSync(join(folder, entry.name)), extname(path)))
    if (path.endsWith('.html')) pages.push(path)
  }
  for (const path of pages) {
    const html = files.get(path)?.bytes.toString() ?? ''
    files.set(path, fileOf(Buffer.from(nameParts(html, files)), '.html'))
  }
  return files
}

function fileOf(bytes: Buffer, extension: string): File {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
  return { bytes, hash, type: types[extension] ?? 'application/octet-stream', short: new Map() }
}

/** `src="app.js"` becomes `src="app.js?v=HASH"`. */
const nameParts = (html: string, files: ReadonlyMap<string, File>): string =>
  html.replace(/\b(src|href)="([\w./-]+)"/g, (whole, attribute: string, name: string) => {
    const part = files.get(`/${name.replace(/^\.?\//, '')}`)
    return part === undefined ? whole : `${attribute}="${name}?v=${part.hash}"`
  })

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
