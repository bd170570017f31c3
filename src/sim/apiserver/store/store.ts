/** All objects under one version counter, as etcd has them: each change makes the next version. */
import type { Change, ResourceRef } from '../api.ts'
import { type ApiObject, type Place, placeOf } from '../object.ts'
import type { ResourceType } from '../resource-type.ts'
import { createCollection, type Collection } from './collection.ts'
import { createHistory, type History, undo } from './history.ts'

type Listener = (change: Change) => void

export type Store = {
  /** Of the last change. */
  readonly version: () => number
  readonly get: (of: ResourceRef, place: Place) => ApiObject | undefined
  readonly list: (of: ResourceRef, namespace?: string) => readonly ApiObject[]
  /** As it was at a version; undefined if that is forgotten. */
  readonly listAt: (
    of: ResourceRef,
    version: number,
    namespace?: string,
  ) => readonly ApiObject[] | undefined
  /** Gives it the next version; new or not. */
  readonly put: (type: ResourceType, object: ApiObject) => ApiObject
  /** Its last state with the version of its deletion. */
  readonly delete: (type: ResourceType, last: ApiObject) => ApiObject
  /** Reads all of a resource anew, which is no change: versions stay, and nobody is told. */
  readonly reread: (of: ResourceRef, read: (object: ApiObject) => ApiObject) => void
  readonly history: (of: ResourceRef) => Pick<History, 'oldest' | 'since'>
  /** Of one resource, or of all; called when the write is over, in the order of versions. */
  readonly subscribe: (of: ResourceRef | 'all', listener: Listener) => () => void
}

/** Above 1, so that version 1 is always too old. */
const firstVersion = 2

/**
 * Leases change more often than all else together, and hardly anybody watches them all: remembered for
 * as long as others they would take more memory than they are worth.
 */
const shortHistories: ReadonlyMap<string, number> = new Map([['coordination.k8s.io/leases', 1024]])

type Shelf = {
  readonly objects: Collection
  readonly history: History
  readonly listeners: Set<Listener>
}

export function createStore(options: {
  /** Runs it after what is under way, at the same moment. */
  readonly soon: (task: () => void) => void
  /** Changes that each resource remembers. */
  readonly historyLimit?: number
}): Store {
  let version = firstVersion
  const shelves = new Map<string, Shelf>()
  const shelfByRef = new WeakMap<ResourceRef, Shelf>()
  const toAll = new Set<Listener>()
  let untold: Change[] = []

  /** Callers name a resource by the same object over and over. */
  const shelfOf = (of: ResourceRef): Shelf => {
    const known = shelfByRef.get(of)
    if (known !== undefined) return known
    const found = findShelf(of)
    shelfByRef.set(of, found)
    return found
  }
  const findShelf = ({ group, plural }: ResourceRef): Shelf => {
    const key = `${group}/${plural}`
    const known = shelves.get(key)
    if (known !== undefined) return known
    const made: Shelf = {
      objects: createCollection(),
      history: createHistory(version, options.historyLimit ?? shortHistories.get(key)),
      listeners: new Set(),
    }
    shelves.set(key, made)
    return made
  }

  const tell = () => {
    const changes = untold
    untold = []
    for (const change of changes) {
      for (const listener of shelfOf(change.resource).listeners) listener(change)
      for (const listener of toAll) listener(change)
    }
  }

  const record = (shelf: Shelf, change: Change) => {
    shelf.history.add(change)
    if (untold.length === 0) options.soon(tell)
    untold.push(change)
  }

  const versioned = (object: ApiObject): ApiObject => {
    version += 1
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
  }

  return {
    version: () => version,
    get: (of, place) => shelfOf(of).objects.get(place),
    list: (of, namespace) => shelfOf(of).objects.list(namespace),
    listAt: (of, at, namespace) => {
      const { objects, history } = shelfOf(of)
      const changes = history.since(at)
      if (changes === undefined) return undefined
      const ours =
        namespace === undefined
          ? changes
          : changes.filter(({ object }) => object.metadata.namespace === namespace)
      return undo(objects.list(namespace), ours)
    },
    put: (type, object) => {
      const shelf = shelfOf(type)
      const old = shelf.objects.get(placeOf(object))
      const stored = versioned(object)
      shelf.objects.put(stored)
      const kind = old === undefined ? 'ADDED' : 'MODIFIED'
      record(shelf, { type: kind, resource: type, object: stored, old, version })
      return stored
    },
    delete: (type, last) => {
      const shelf = shelfOf(type)
      const old = shelf.objects.get(placeOf(last))
      const deleted = versioned(last)
      shelf.objects.delete(placeOf(last))
      record(shelf, { type: 'DELETED', resource: type, object: deleted, old, version })
      return deleted
    },
    reread: (of, read) => {
      const { objects } = shelfOf(of)
      for (const object of objects.list()) objects.put(read(object))
    },
    history: (of) => shelfOf(of).history,
    subscribe: (of, listener) => {
      const listeners = of === 'all' ? toAll : shelfOf(of).listeners
      const from = version // what is still to be told happened before
      const tellNewer: Listener = (change) => {
        if (change.version > from) listener(change)
      }
      listeners.add(tellNewer)
      return () => void listeners.delete(tellNewer)
    },
  }
}
