import type { Keep } from '../apis/keep.ts'
import type { KubeObject, Resource } from '../apis/object.ts'
import type { Random } from '../core/random.ts'
import type { Clock } from '../ports/clock.ts'
import type { Kube, Selection } from '../ports/kube.ts'
import type { Log } from '../ports/log.ts'
import { reflect, type ReflectorCounts } from './reflector.ts'
import { type Change, type Entry, type IndexBy, keyOf, Store, type StoreView } from './store.ts'

/**
 * Servers send a bookmark about once a minute: a watch so silent has fallen asleep, as behind a proxy
 * that forgot the connection. One that only had nothing to tell goes on from where it was.
 */
export const IDLE_MILLIS = 150_000

/**
 * To twice as long, which is within `IDLE_MILLIS`: a watch that has nothing to tell is ended by the
 * server, as it should be, and not by us as one that stalled.
 */
export const WATCH_SECONDS = 70

export type InformerOptions<T extends KubeObject, P, I extends string> = {
  readonly kube: Kube
  readonly resource: Resource<T>
  readonly selection?: Selection
  /** What is read of an object at all: what others write beside it takes no memory. */
  readonly keep: Keep
  /** What is kept of that. */
  readonly project: (object: T) => P
  /**
   * What stands for an object of which too much would be kept, by the little that is known of it.
   * Undefined: as it was when it was last read, `held`; absent if it never was.
   */
  readonly projectUnread?: (object: T, held: P | undefined) => T | undefined
  readonly indexes?: Readonly<Record<I, IndexBy<P>>>
  /** Told of every change, in order, once it is in the store. */
  readonly handlers?: readonly ((change: Change<P>) => void)[]
  /** Called once, after the first whole list is in the store and told. */
  readonly onSynced?: () => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Aborting it is how an informer is stopped. */
  readonly signal: AbortSignal
  readonly pageSize?: number
  /** The server is asked to end a watch after this long to twice as long. */
  readonly watchTimeoutSeconds?: number
  /** A watch without any event or bookmark for so long is given up; `IDLE_MILLIS` if not told. */
  readonly idleTimeoutMs?: number
}

export type Informer<P, I extends string> = {
  readonly store: StoreView<P, I>
  readonly hasSynced: () => boolean
  readonly counts: Readonly<ReflectorCounts>
  /** Resolves after an abort, when nothing is told any more. */
  readonly stopped: Promise<void>
}

/** Remembered as said. */
const MOST_UNREAD = 1000

/** A cache of one resource that follows the server, and tells what changes. */
export function startInformer<T extends KubeObject, P, I extends string = never>(
  options: InformerOptions<T, P, I>,
): Informer<P, I> {
  const { resource, log, handlers = [], onSynced } = options
  const counts: ReflectorCounts = {
    lists: 0,
    relists: 0,
    watches: 0,
    events: 0,
    bookmarks: 0,
    errors: 0,
    listedAt: undefined,
    heardAt: undefined,
  }
  /** What others wrote must not end the loop that keeps the cache right. */
  const guarded = <R>(work: () => R, fields: Readonly<Record<string, unknown>>): R | undefined => {
    try {
      return work()
    } catch (error) {
      counts.errors += 1
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
      log('error', 'handling an object', { resource: resource.plural, ...fields, error: said })
      return undefined
    }
  }
  const store = new Store<T, P, I>({
    project: options.project,
    indexes: options.indexes ?? ({} as Record<I, IndexBy<P>>),
    tell: (change) => {
      for (const handler of handlers) {
        guarded(() => handler(change), { key: change.key, change: change.type })
      }
    },
  })
  /** Said once of each, and again when it was readable between. */
  const unread = new Set<string>()
  const read = (object: T): Entry<P> | undefined => {
    const key = keyOf(object)
    if (object.unread === undefined) {
      unread.delete(key)
      return guarded(() => store.entryOf(object), { key })
    }
    if (!unread.has(key)) {
      log('warn', 'object not read', { resource: resource.plural, key, reason: object.unread })
      if (unread.size >= MOST_UNREAD) unread.clear()
      unread.add(key)
    }
    // Whoever can make an object large must not make it vanish.
    const last = store.entry(key)
    const held = last?.uid === object.metadata.uid ? last : undefined
    const standIn = options.projectUnread?.(object, held?.value)
    return standIn === undefined ? held : guarded(() => store.entryOf(standIn), { key })
  }
  let synced = false
  const stopped = reflect<T, P>({
    ...options,
    selection: options.selection ?? {},
    pageSize: options.pageSize ?? 500,
    watchTimeoutSeconds: options.watchTimeoutSeconds ?? WATCH_SECONDS,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_MILLIS,
    counts,
    read,
    set: (key, entry) => store.set(key, entry),
    remove: (key, version) => store.remove(key, version),
    replace: (entries, how) => store.replace(entries, how),
    onListed: () => {
      if (synced) return
      synced = true
      if (onSynced !== undefined) guarded(onSynced, { change: 'synced' })
    },
  })
  return { store, hasSynced: () => synced, counts, stopped }
}
