/** Looks at every object of a resource when it was written, and when its children change. */
import type { Agenda } from '../agenda.ts'
import type { Api, ResourceRef } from '../apiserver/api.ts'
import { type ApiObject, keyOf, placeOf } from '../apiserver/object.ts'
import { type LabelSelector, matchesLabels } from '../label-selector.ts'
import type { Children } from './children.ts'
import { createLoop } from './loop.ts'
import { controllerOf } from './workload.ts'

/** Changes of many children are seen together: what costs most is to look at all of them for each. */
const gathering = 50

type Followed = {
  /** Looks at it soon, or after so many milliseconds. */
  readonly wake: (uid: string, after?: number) => void
  readonly wakeAll: () => void
}

/** `look` may say after how many milliseconds it wants to see the object again. */
export function follow(at: {
  readonly api: Api
  readonly agenda: Agenda
  readonly of: ResourceRef
  /** A method, so that it may ask for objects of the one kind that it is given. */
  look(object: ApiObject): number | undefined
  readonly children: Children<ApiObject>
  /** Of what it remembers of an object by its uid. */
  readonly forget?: (uid: string) => void
}): Followed {
  const { api, agenda, of, children, forget } = at
  const keys = new Map<string, string>()

  const loop = createLoop(agenda, (key) => {
    const [namespace, name = ''] = key.split('/')
    const object = api.find(of, { namespace, name })
    return object && at.look(object)
  })
  const wake = (uid: string, after?: number) => {
    const key = keys.get(uid)
    if (key !== undefined) loop.add(key, after)
  }

  api.subscribe(of, ({ type, object, old }) => {
    const { uid } = object.metadata
    if (type === 'DELETED') {
      keys.delete(uid)
      forget?.(uid)
    } else {
      const key = keyOf(placeOf(object))
      keys.set(uid, key)
      if (old === undefined || isAsking(object, old)) loop.add(key)
    }
  })

  children.onChange(({ type, object, old }, uids) => {
    for (const uid of uids) wake(uid, gathering)
    const { namespace, labels } = object.metadata
    const isNewOrphan =
      type !== 'DELETED' &&
      controllerOf(object) === undefined &&
      (old === undefined || old.metadata.labels !== labels || controllerOf(old) !== undefined)
    if (!isNewOrphan) return
    for (const owner of api.list(of, namespace)) {
      if (matchesLabels(selectorOf(owner), labels)) wake(owner.metadata.uid)
    }
  })
  return {
    wake,
    wakeAll: () => {
      for (const key of keys.values()) loop.add(key)
    },
  }
}

/** Something else than its status was written. */
const isAsking = (object: ApiObject, old: ApiObject): boolean =>
  old.spec !== object.spec ||
  old.metadata.deletionTimestamp !== object.metadata.deletionTimestamp ||
  old.metadata.annotations !== object.metadata.annotations

export const selectorOf = ({ spec }: ApiObject): LabelSelector | undefined =>
  (spec as { readonly selector?: LabelSelector } | undefined)?.selector
