import type { Keep } from '../apis/keep.ts'
import type { KubeObject, Resource } from '../apis/object.ts'
import { ApiError, type Kube, type ListQuery, type Page, type Selection } from '../ports/kube.ts'
import { type Entry, keyOf } from './store.ts'

type Listing<T extends KubeObject, P> = {
  readonly kube: Kube
  readonly resource: Resource<T>
  readonly selection: Selection
  readonly keep: Keep
  readonly pageSize: number
  readonly signal: AbortSignal
  readonly read: (object: T) => Entry<P> | undefined
}

export type Listed<P> = {
  readonly version: string
  readonly entries: ReadonlyMap<string, Entry<P>>
}

/**
 * Every page of one consistent list, read at the newest version (no resourceVersion is asked for, so
 * a list never goes back in time). A page that fails is asked for again after `failed`. A token that
 * the server no longer takes starts the list again in one piece, which cannot expire. Undefined when
 * stopped.
 */
export async function listAll<T extends KubeObject, P>(
  { kube, resource, selection, keep, pageSize, signal, read }: Listing<T, P>,
  failed: (error: unknown) => Promise<void>,
): Promise<Listed<P> | undefined> {
  let entries = new Map<string, Entry<P>>()
  let version: string | undefined
  let token: string | undefined
  let limit: number | undefined = pageSize
  while (!signal.aborted) {
    const query: ListQuery = {
      ...selection,
      ...(limit === undefined ? {} : { limit }),
      ...(token === undefined ? {} : { continue: token }),
    }
    try {
      const page: Page<T> = await kube.list(resource, query, { signal, purpose: 'read', keep })
      limit = limit && nextLimit({ limit, most: pageSize }, page)
      for (const object of page.items) {
        const entry = read(object)
        if (entry !== undefined) entries.set(keyOf(object), entry)
      }
      version ??= page.resourceVersion // the oldest of all pages, in case a server differs in them
      token = page.next
    } catch (error) {
      if (token !== undefined && isFinal(error)) {
        entries = new Map()
        version = token = limit = undefined
      }
      await failed(error)
      continue
    }
    if (token === undefined) return { version, entries }
  }
  return undefined
}

/** A second's work at most, whatever the objects hold: pages that are larger become shorter. */
const pageBytes = 1024 * 1024

/** As many as make a page of that size if they are like the last; twice as many at most. */
function nextLimit(
  { limit, most }: { readonly limit: number; readonly most: number },
  { bytes, items }: Pick<Page<unknown>, 'bytes' | 'items'>,
): number {
  if (bytes === undefined || items.length === 0) return limit
  const fitting = Math.floor((pageBytes * items.length) / bytes)
  return Math.max(1, Math.min(most, 2 * limit, fitting))
}

/** The server answered and will answer the same again; anything else may pass. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.code < 500 && error.code !== 429
