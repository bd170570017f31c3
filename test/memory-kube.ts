/**
 * A Kubernetes API in memory, for tests of what runs on the port: versions, conflicts, the
 * status subresource (every resource has one), merge patch (and no other), paged lists of one
 * moment, watches with history. Of selections it knows the namespace.
 */
import { isDeepStrictEqual } from 'node:util'

import {
  apiVersionOf,
  type KubeObject,
  type ObjectMeta,
  type Resource,
} from '../src/apis/object.ts'
import {
  ApiError,
  type Kube,
  type Selection,
  type WatchEvent,
  type WatchQuery,
} from '../src/ports/kube.ts'

export type KubeRequest = {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'remove' | 'raw'
  /** The plural of the resource, or the path of a raw request. */
  readonly resource: string
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string | undefined
}

/** Both may wait or throw: `before` has the request on its way to the server, `after` the answer,
 * good or bad, on its way back. A sender that stops waiting does not call its request back. */
export type Hooks = {
  readonly before?: (request: KubeRequest) => void | Promise<void>
  readonly after?: (request: KubeRequest) => void | Promise<void>
}

export type MemoryKube = Kube & {
  /** Another process's way to the same server, without the hooks of this one. */
  readonly client: (hooks: Hooks) => Kube
  /** Forgets the history: watches from before and later pages of lists get 410. */
  readonly compact: () => void
  /** Sends a bookmark to the watches that allow it. */
  readonly bookmark: () => void
  /** Ends the open watches; with an error, they throw it. */
  readonly endWatches: (error?: Error) => void
}

type AnyResource = Resource<KubeObject>
type Stored = KubeObject & { readonly status?: unknown }
type Change = { of: string; type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: Stored }

export function memoryKube(hooks: Hooks = {}): MemoryKube {
  const tables = new Map<string, Map<string, Stored>>()
  const pages = new Map<string, { items: readonly Stored[]; resourceVersion: string }>()
  /** The change that made version v is at v - floor - 1. */
  let history: Change[] = []
  let floor = 0
  let bookmarks = 0
  let lastPage = 0
  const ends: { readonly error: Error | undefined }[] = []
  let listeners: (() => void)[] = []

  const version = () => floor + history.length
  const wake = () => {
    const woken = listeners
    listeners = []
    for (const listener of woken) listener()
  }
  const tableOf = (of: AnyResource) => {
    const table = tables.get(keyOf(of)) ?? new Map<string, Stored>()
    tables.set(keyOf(of), table)
    return table
  }
  const find = (of: AnyResource, request: KubeRequest): Stored => {
    const found = tableOf(of).get(placeOf(request))
    if (found) return found
    throw refusal(request, 404, 'NotFound', `${of.plural} "${request.name}" not found`)
  }
  const select = (of: AnyResource, { namespace, labelSelector, fieldSelector }: Selection) => {
    if (labelSelector ?? fieldSelector) throw new Error('the memory kube knows no selectors')
    return [...tableOf(of)]
      .filter(([, { metadata }]) => (namespace ?? metadata.namespace) === metadata.namespace)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object)
  }
  const record = (of: AnyResource, type: Change['type'], object: Stored) => {
    const metadata = { ...object.metadata, resourceVersion: String(version() + 1) }
    const changed = { ...object, metadata }
    if (type === 'DELETED') tableOf(of).delete(placeOf(metadata))
    else tableOf(of).set(placeOf(metadata), changed)
    history.push({ of: keyOf(of), type, object: changed })
    wake()
    return changed
  }

  function store(of: AnyResource, old: Stored | undefined, next: Stored): Stored {
    const stamps = {
      uid: old?.metadata.uid ?? `uid-${version() + 1}`,
      generation: (old?.metadata.generation ?? 0) + (old && sameSpec(old, next) ? 0 : 1),
      creationTimestamp: '2026-01-01T00:00:00Z',
      resourceVersion: old?.metadata.resourceVersion ?? '',
    }
    const kind = { apiVersion: apiVersionOf(of), kind: of.kind }
    const stamped = { ...next, ...kind, metadata: { ...next.metadata, ...stamps } }
    if (old && isDeepStrictEqual(stamped, old)) return old
    return record(of, old ? 'MODIFIED' : 'ADDED', stamped)
  }

  function checked(of: AnyResource, request: KubeRequest, claim: ObjectMeta): Stored {
    const old = find(of, request)
    const { uid, resourceVersion } = old.metadata
    const same =
      (claim.uid ?? uid) === uid && (claim.resourceVersion ?? resourceVersion) === resourceVersion
    if (same) return old
    throw refusal(request, 409, 'Conflict', 'the object has been modified')
  }

  function replace(of: AnyResource, request: KubeRequest, object: Stored): Stored {
    const old = checked(of, request, object.metadata)
    const [desired, observed] = request.subresource === 'status' ? [old, object] : [object, old]
    return store(of, old, withStatus(desired, observed))
  }

  const client = ({ before, after }: Hooks): Kube => {
    async function call<T>(request: KubeRequest, signal: AbortSignal | undefined, act: () => T) {
      const work = async () => {
        await before?.(request)
        try {
          return structuredClone(act())
        } finally {
          await after?.(request)
        }
      }
      return new Promise<T>((resolve, reject) => {
        const stop = () => reject(new Error(`${nameOf(request)}: aborted`))
        if (signal?.aborted === true) {
          stop()
          return
        }
        signal?.addEventListener('abort', stop)
        void work()
          .then(resolve, reject)
          .finally(() => signal?.removeEventListener('abort', stop))
      })
    }

    async function* watch<T extends KubeObject>(
      of: Resource<T>,
      query: WatchQuery,
      { signal }: { readonly signal: AbortSignal },
    ): AsyncGenerator<WatchEvent<T>> {
      const request = requestOf('watch', of, query)
      const ended = ends.length
      let at = Number(query.resourceVersion ?? 0)
      const first = await call(request, signal, () => {
        if (at > 0) return []
        at = version()
        return select(of, query)
      })
      signal.addEventListener('abort', wake, { once: true })
      for (const object of first) yield { type: 'ADDED', object: typed(of, object) }
      for (let marked = bookmarks; !signal.aborted;) {
        const end = ends[ended]
        if (end?.error) throw end.error
        if (end) return
        if (at < floor) throw refusal(request, 410, 'Expired', `too old resource version: ${at}`)
        const change = history[at - floor]
        if (change) {
          at += 1
          const { namespace } = change.object.metadata
          if (change.of === keyOf(of) && (query.namespace ?? namespace) === namespace) {
            yield { type: change.type, object: typed(of, structuredClone(change.object)) }
          }
        } else if (marked < bookmarks && query.allowBookmarks === true) {
          marked = bookmarks
          yield { type: 'BOOKMARK', resourceVersion: String(at) }
        } else {
          await new Promise<void>((resolve) => {
            listeners.push(resolve)
          })
        }
      }
    }

    return {
      watch,
      get: async (of, at, options) => {
        const request = requestOf('get', of, at)
        return call(request, options?.signal, () => typed(of, find(of, request)))
      },
      list: async (of, query = {}, options) => {
        const request = requestOf('list', of, query)
        return call(request, options?.signal, () => {
          const whole = { items: select(of, query), resourceVersion: String(version()) }
          const from = query.continue === undefined ? whole : pages.get(query.continue)
          if (!from) throw refusal(request, 410, 'Expired', 'the continue token is too old')
          const limit = query.limit ?? from.items.length
          const items = from.items.slice(0, limit).map((object) => typed(of, object))
          const next = from.items.length > limit ? `page-${(lastPage += 1)}` : undefined
          if (next !== undefined) pages.set(next, { ...from, items: from.items.slice(limit) })
          return { items, resourceVersion: from.resourceVersion, next }
        })
      },
      create: async (of, object, options) => {
        const { generateName = '', name = `${generateName}${version() + 1}` } = object.metadata
        const metadata = { ...object.metadata, name }
        const request = requestOf('create', of, metadata)
        return call(request, options?.signal, () => {
          if (tableOf(of).has(placeOf(metadata))) {
            throw refusal(request, 409, 'AlreadyExists', `${of.plural} "${name}" already exists`)
          }
          return typed(of, store(of, undefined, withStatus({ ...object, metadata }, { metadata })))
        })
      },
      update: async (of, object, options) => {
        const request = requestOf('update', of, { ...object.metadata, ...options })
        return call(request, options?.signal, () => typed(of, replace(of, request, object)))
      },
      patch: async (of, at, patch, options) => {
        const request = requestOf('patch', of, { ...options, ...at })
        return call(request, options?.signal, () => {
          if (patch.type !== 'merge') {
            throw refusal(request, 415, 'UnsupportedMediaType', patch.type)
          }
          return typed(of, replace(of, request, merge(find(of, request), patch.body) as Stored))
        })
      },
      remove: async (of, at, options = {}) => {
        const request = requestOf('remove', of, at)
        await call(request, options.signal, () => {
          record(of, 'DELETED', checked(of, request, options))
        })
      },
      raw: async (path, options) => {
        const request: KubeRequest = { verb: 'raw', resource: path }
        return call(request, options?.signal, () => {
          throw refusal(request, 404, 'NotFound', 'this server has resources only')
        })
      },
    }
  }

  return {
    ...client(hooks),
    client,
    compact: () => {
      floor = version()
      history = []
      pages.clear()
      wake()
    },
    bookmark: () => {
      bookmarks += 1
      wake()
    },
    endWatches: (error) => {
      ends.push({ error })
      wake()
    },
  }
}

type Place = { readonly namespace?: string | undefined; readonly name?: string | undefined }
const keyOf = ({ group, plural }: AnyResource) => `${group}/${plural}`
const placeOf = ({ namespace = '', name = '' }: Place) => `${namespace}/${name}`
const nameOf = (request: KubeRequest) => `${request.verb} ${request.resource} ${placeOf(request)}`
const refusal = (request: KubeRequest, code: number, reason: string, said: string) =>
  new ApiError(nameOf(request), { code, reason, said })

const requestOf = (
  verb: KubeRequest['verb'],
  { plural }: AnyResource,
  { namespace, name, subresource }: Place & { readonly subresource?: string },
): KubeRequest => ({ verb, resource: plural, namespace, name, subresource })

const typed = <T extends KubeObject>(_of: Resource<T>, stored: Stored) => stored as KubeObject as T
const withStatus = (desired: Stored, { status }: Stored): Stored => {
  const { status: _dropped, ...rest } = desired
  return status === undefined ? rest : { ...rest, status }
}
const specOf = (object: Stored) => ({ ...object, metadata: 0, status: 0, apiVersion: 0, kind: 0 })
const sameSpec = (a: Stored, b: Stored) => isDeepStrictEqual(specOf(a), specOf(b))

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** RFC 7386. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch
  const merged: Record<string, unknown> = isFields(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = merge(merged[key], value)
  }
  return merged
}
