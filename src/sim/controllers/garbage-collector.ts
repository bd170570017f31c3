/**
 * What goes with its owner. `Background`: once no owner is left, a dependent is deleted. `Foreground`: the
 * owner waits, marked by a finalizer, until the dependents that block it are gone. `Orphan`: the
 * dependents lose the reference, and stay.
 */
import type { OwnerReference } from '../../apis/object.ts'
import type { Agenda } from '../agenda.ts'
import type { Api, ResourceRef } from '../apiserver/api.ts'
import { type ApiObject, type Place, placeOf } from '../apiserver/object.ts'
import { Refusal } from '../apiserver/refusal.ts'
import type { RecordEvent } from '../record-event.ts'
import { events } from '../resources.ts'
import { createLoop } from './loop.ts'
import { manager } from './workload.ts'

const foreground = 'foregroundDeletion'
const orphan = 'orphan'

type Where = { readonly resource: ResourceRef; readonly place: Place }

export function runGarbageCollector({
  api,
  agenda,
  record,
}: {
  readonly api: Api
  readonly agenda: Agenda
  readonly record: RecordEvent
}): void {
  const where = new Map<string, Where>()
  const dependents = new Map<string, Set<string>>()

  const find = (uid: string): ApiObject | undefined => {
    const known = where.get(uid)
    const object = known && api.find(known.resource, known.place)
    return object?.metadata.uid === uid ? object : undefined
  }
  const dependentsOf = (uid: string): ApiObject[] =>
    [...(dependents.get(uid) ?? [])].map(find).filter((one) => one !== undefined)

  const loop = createLoop(agenda, (uid) => {
    const object = find(uid)
    if (object === undefined) return undefined
    try {
      if (object.metadata.deletionTimestamp !== undefined) finishDeletion(object)
      else collectIfOwnerless(object)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return 1000
    }
    return undefined
  })

  const collectIfOwnerless = (object: ApiObject) => {
    const references = object.metadata.ownerReferences ?? []
    if (references.length === 0) return
    const solid = references.filter((owner) => isThere(object, owner))
    const waiting = solid.filter(({ uid }) => isWaiting(find(uid)))
    if (solid.length > waiting.length) {
      if (solid.length < references.length) setOwners(object, solid)
      return
    }
    const isOwner = (dependents.get(object.metadata.uid)?.size ?? 0) > 0
    remove(object, waiting.length > 0 && isOwner ? 'Foreground' : 'Background')
  }

  /** An owner in another namespace does not count, and somebody should know. */
  const isThere = (object: ApiObject, { apiVersion, kind, name, uid }: OwnerReference): boolean => {
    const owner = find(uid)
    const { namespace = '' } = object.metadata
    const { namespace: there = namespace } = owner?.metadata ?? {}
    if (owner === undefined || there === namespace) return owner !== undefined
    const reference = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`
    record({
      about: object,
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${reference} does not exist in namespace "${namespace}"`,
    })
    // What is in no namespace is never deleted for an owner that is in one.
    return namespace === ''
  }

  const finishDeletion = (object: ApiObject) => {
    const finalizers = object.metadata.finalizers ?? []
    const { uid } = object.metadata
    if (finalizers.includes(orphan)) {
      for (const dependent of dependentsOf(uid)) {
        setOwners(
          dependent,
          dependent.metadata.ownerReferences?.filter((owner) => owner.uid !== uid) ?? [],
        )
      }
      dropFinalizer(object, orphan)
    } else if (finalizers.includes(foreground)) {
      const left = dependentsOf(uid)
      for (const dependent of left) loop.add(dependent.metadata.uid)
      const blocking = left.some(({ metadata }) =>
        metadata.ownerReferences?.some(
          (owner) => owner.uid === uid && owner.blockOwnerDeletion === true,
        ),
      )
      if (!blocking) dropFinalizer(object, foreground)
    }
  }

  const remove = (object: ApiObject, propagation: 'Foreground' | 'Background') => {
    const known = where.get(object.metadata.uid)
    if (known !== undefined)
      api.remove(known.resource, known.place, { propagation, uid: object.metadata.uid })
  }

  const setOwners = (
    object: ApiObject,
    ownerReferences: ApiObject['metadata']['ownerReferences'] & object,
  ) => update(object, { ownerReferences })

  const dropFinalizer = (object: ApiObject, finalizer: string) =>
    update(object, {
      finalizers: (object.metadata.finalizers ?? []).filter((one) => one !== finalizer),
    })

  const update = (object: ApiObject, metadata: Partial<ApiObject['metadata']>) => {
    const known = where.get(object.metadata.uid)
    if (known === undefined) return
    api.update(
      known.resource,
      { ...object, metadata: { ...object.metadata, ...metadata } },
      { manager },
    )
  }

  api.subscribeAll(({ type, resource, object, old }) => {
    if (resource.group === events.group && resource.plural === events.plural) return
    const { uid, ownerReferences: now = [] } = object.metadata
    const { ownerReferences: before = [] } = old?.metadata ?? {}
    if (type === 'DELETED') {
      where.delete(uid)
      for (const owner of before) drop(owner.uid, uid)
      for (const dependent of dependents.get(uid) ?? []) loop.add(dependent)
      for (const owner of now) if (isWaiting(find(owner.uid))) loop.add(owner.uid)
      return
    }
    if (type === 'ADDED') where.set(uid, { resource, place: placeOf(object) })
    if (now !== before) {
      for (const owner of before) drop(owner.uid, uid)
      for (const owner of now) keep(owner.uid, uid)
      if (now.length > 0) loop.add(uid)
    }
    if (object.metadata.deletionTimestamp !== undefined && hasOwn(object)) loop.add(uid)
  })

  const keep = (owner: string, dependent: string) => {
    const known = dependents.get(owner) ?? new Set()
    dependents.set(owner, known.add(dependent))
  }
  const drop = (owner: string, dependent: string) => {
    const known = dependents.get(owner)
    known?.delete(dependent)
    if (known?.size === 0) dependents.delete(owner)
  }
}

const hasOwn = ({ metadata }: ApiObject): boolean =>
  metadata.finalizers?.some((one) => one === foreground || one === orphan) === true

const isWaiting = (object: ApiObject | undefined): boolean =>
  object?.metadata.deletionTimestamp !== undefined &&
  object.metadata.finalizers?.includes(foreground) === true
