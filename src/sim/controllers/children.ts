/** Objects of one resource by the uid of their controller, kept current, so that nobody lists them all. */
import type { Api, Change, ResourceRef } from '../apiserver/api.ts'
import { type ApiObject, placeOf } from '../apiserver/object.ts'
import { type Collection, createCollection } from '../apiserver/store/collection.ts'
import { controllerOf } from './workload.ts'

export type Children<T extends ApiObject> = {
  /** In the order of their names. */
  readonly of: (uid: string) => readonly T[]
  /** Those of a namespace that have no controller. */
  readonly orphans: (namespace: string | undefined) => readonly T[]
  /** Called after the index has the change; `uids` are the controllers before and after it. */
  readonly onChange: (listener: (change: Change, uids: readonly string[]) => void) => void
}

export function watchChildren<T extends ApiObject>(api: Api, resource: ResourceRef): Children<T> {
  const byOwner = new Map<string, Collection>()
  const listeners: ((change: Change, uids: readonly string[]) => void)[] = []

  const drop = (owner: string, object: ApiObject) => {
    const children = byOwner.get(owner)
    children?.delete(placeOf(object))
    if (children?.list().length === 0) byOwner.delete(owner)
  }
  const keep = (owner: string, object: ApiObject) => {
    const children = byOwner.get(owner) ?? createCollection()
    byOwner.set(owner, children)
    children.put(object)
  }
  const listOf = (owner: string) => (byOwner.get(owner)?.list() ?? []) as readonly T[]

  api.subscribe(resource, (change) => {
    const { type, object, old } = change
    const before = old && controllerOf(old)?.uid
    const after = controllerOf(object)?.uid
    if (type === 'DELETED' || (old !== undefined && before !== after)) {
      drop(before ?? nobodyIn(object.metadata.namespace), object)
    }
    if (type !== 'DELETED') keep(after ?? nobodyIn(object.metadata.namespace), object)
    const uids = [...new Set([before, after])].filter((uid) => uid !== undefined)
    for (const listener of listeners) listener(change, uids)
  })
  return {
    of: listOf,
    orphans: (namespace) => listOf(nobodyIn(namespace)),
    onChange: (listener) => void listeners.push(listener),
  }
}

/** In place of a uid. */
const nobodyIn = (namespace = ''): string => `nobody in ${namespace}`
