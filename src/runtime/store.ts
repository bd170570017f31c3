import type { KubeObject } from '../apis/object.ts'
import { isOlder } from './store-version.ts'

/** What a handler is told. `before` is what the handlers were told last about this key. */
export type Change<P> =
  | { readonly type: 'added'; readonly key: string; readonly now: P }
  | { readonly type: 'updated'; readonly key: string; readonly before: P; readonly now: P }
  | { readonly type: 'deleted'; readonly key: string; readonly before: P }

/** The values under which an object is found; a pure function, as it is called again to forget. */
export type IndexBy<P> = (value: P) => readonly string[]

/** What readers see of a cache. Nothing here is sorted. */
export type StoreView<P, I extends string = never> = {
  readonly size: number
  readonly get: (key: string) => P | undefined
  readonly list: () => P[]
  readonly byIndex: (index: I, value: string) => P[]
}

/** What is held of one object. */
export type Entry<P> = { readonly uid: string; readonly version: string; readonly value: P }

/** `namespace/name`, or `name` for what has no namespace. */
export function keyOf({ metadata: { namespace, name = '' } }: KubeObject): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`
}

/**
 * The last known state of many objects. Every change is in the store before its handler is told, and
 * is told before the next one is made. Nothing older replaces something newer of the same name.
 */
export class Store<T extends KubeObject, P, I extends string> implements StoreView<P, I> {
  readonly #entries = new Map<string, Entry<P>>()
  readonly #indexes: readonly { by: IndexBy<P>; keys: Map<string, Set<string>> }[]
  readonly #indexByName: ReadonlyMap<string, Map<string, Set<string>>>
  readonly #project: (object: T) => P
  readonly #tell: (change: Change<P>) => void

  constructor(options: {
    /** What is kept of an object, so that the rest is not held. */
    readonly project: (object: T) => P
    readonly indexes: Readonly<Record<I, IndexBy<P>>>
    /** Must not throw. */
    readonly tell: (change: Change<P>) => void
  }) {
    this.#project = options.project
    this.#tell = options.tell
    const indexes = Object.entries<IndexBy<P>>(options.indexes).map(([name, by]) => ({
      name,
      by,
      keys: new Map<string, Set<string>>(),
    }))
    this.#indexes = indexes
    this.#indexByName = new Map(indexes.map(({ name, keys }) => [name, keys]))
  }

  get size(): number {
    return this.#entries.size
  }

  readonly get = (key: string): P | undefined => this.#entries.get(key)?.value

  readonly entry = (key: string): Entry<P> | undefined => this.#entries.get(key)

  readonly list = (): P[] => Array.from(this.#entries.values(), ({ value }) => value)

  readonly byIndex = (index: I, value: string): P[] => {
    const found: P[] = []
    for (const key of this.#indexByName.get(index)?.get(value) ?? []) {
      const entry = this.#entries.get(key)
      if (entry !== undefined) found.push(entry.value)
    }
    return found
  }

  /** Throws what the projection or an index throws, so that `set` cannot stop half-way. */
  readonly entryOf = (object: T): Entry<P> => {
    const { uid = '', resourceVersion = '' } = object.metadata
    const value = this.#project(object)
    for (const { by } of this.#indexes) by(value)
    return { uid, version: resourceVersion, value }
  }

  /** An ADDED or MODIFIED event. */
  set(key: string, next: Entry<P>): void {
    const held = this.#entries.get(key)
    if (held !== undefined && (isSame(next, held) || isOlder(next.version, held.version))) return
    this.#put(key, held, next)
  }

  /** A DELETED event; `version` is that of the deletion. */
  remove(key: string, version: string): void {
    const held = this.#entries.get(key)
    if (held !== undefined && !isOlder(version, held.version)) this.#drop(key, held)
  }

  /**
   * A whole list: what is not in it is deleted. With `rolledBack` also its older versions count,
   * which is right only when the server's storage itself went back.
   */
  replace(next: ReadonlyMap<string, Entry<P>>, { rolledBack = false } = {}): void {
    for (const [key, held] of this.#entries) if (!next.has(key)) this.#drop(key, held)
    for (const [key, entry] of next) {
      const held = this.#entries.get(key)
      if (!rolledBack) this.set(key, entry)
      else if (held === undefined || !isSame(entry, held)) this.#put(key, held, entry)
    }
  }

  #put(key: string, held: Entry<P> | undefined, next: Entry<P>): void {
    if (held !== undefined && held.uid !== next.uid) {
      this.#drop(key, held) // another object of the same name: the first one is gone
      held = undefined
    }
    if (held !== undefined) this.#forget(key, held.value)
    this.#entries.set(key, next)
    for (const { by, keys } of this.#indexes) {
      for (const value of by(next.value)) {
        const set = keys.get(value)
        if (set === undefined) keys.set(value, new Set([key]))
        else set.add(key)
      }
    }
    if (held === undefined) this.#tell({ type: 'added', key, now: next.value })
    else this.#tell({ type: 'updated', key, before: held.value, now: next.value })
  }

  #drop(key: string, held: Entry<P>): void {
    this.#forget(key, held.value)
    this.#entries.delete(key)
    this.#tell({ type: 'deleted', key, before: held.value })
  }

  #forget(key: string, value: P): void {
    for (const { by, keys } of this.#indexes) {
      for (const indexed of by(value)) {
        const set = keys.get(indexed)
        set?.delete(key)
        if (set?.size === 0) keys.delete(indexed)
      }
    }
  }
}

const isSame = (a: Entry<unknown>, b: Entry<unknown>): boolean =>
  a.uid === b.uid && a.version === b.version
