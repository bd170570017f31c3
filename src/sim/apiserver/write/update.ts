/** Replaces an object, or a part of it, if the writer saw its newest version. */
import type { ApiObject, Meta } from '../object.ts'
import { conflict, invalid, notANumber, Refusal } from '../refusal.ts'
import type { ResourceType } from '../resource-type.ts'
import { checkChangedMetadata } from './check-metadata.ts'
import {
  type AdmissionRequest,
  type Cluster,
  hasStatus,
  isCustom,
  manageFields,
  situationOf,
  type Write,
} from './cluster.ts'
import { without, withoutEmpty } from './create.ts'
import { reuse } from './reuse.ts'

const modified =
  'the object has been modified; please apply your changes to the latest version and try again'

/** `next` is decoded and has its defaults. Returns `old` itself if nothing changed. */
export function updateObject(
  cluster: Cluster,
  write: Write,
  { next, old }: { readonly next: ApiObject; readonly old: ApiObject },
): ApiObject {
  const { type, subresource, dryRun } = write
  const { strategy } = type
  checkVersion(type, next.metadata, old.metadata)
  const at = { ...situationOf(cluster), subresource }
  const limited = limitTo(write, { next: withMetadata(next, old), old })
  const managed = manageFields(cluster, write, { next: limited, old })
  const request: AdmissionRequest = {
    operation: 'UPDATE',
    type,
    subresource,
    object: managed,
    old,
    dryRun,
    at,
  }
  const admitted = cluster.admit(request)
  const prepared = strategy.prepareUpdate?.(admitted, old, at) ?? admitted
  const counted = reuse(countGeneration(type, prepared, old), old)
  if (counted === old) return old
  const errors = [
    ...checkChangedMetadata(counted.metadata, old.metadata),
    ...(strategy.validateUpdate?.(counted, old, at) ?? []),
  ]
  if (errors.length > 0) throw invalid(type, old.metadata.name, errors)
  cluster.examine?.({ ...request, object: counted })
  if (dryRun) return counted
  return isDone(counted) ? deleteDone(cluster, type, counted) : cluster.store.put(type, counted)
}

/** The last finalizer is gone: the answer is what was asked for, without the deletion's version. */
function deleteDone({ store }: Cluster, type: ResourceType, last: ApiObject): ApiObject {
  store.delete(type, last)
  return last
}

/** Marked as deleted, and nothing holds it any more. */
export function isDone(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds > 0) return false
  return finalizers.length === 0 && !isHeldBySpec(object)
}

/** Namespaces have finalizers of their own in the spec. */
function isHeldBySpec({ apiVersion, kind, spec }: ApiObject): boolean {
  if (kind !== 'Namespace' || apiVersion !== 'v1') return false
  const { finalizers = [] } = (spec ?? {}) as { readonly finalizers?: readonly string[] }
  return finalizers.length > 0
}

function checkVersion(type: ResourceType, next: Meta, old: Meta): void {
  const version = next.resourceVersion ?? ''
  if (version === '' || version === '0') {
    if (!isCustom(type)) return
    throw invalid({ group: type.group, kind: type.plural }, old.name, [
      {
        field: 'metadata.resourceVersion',
        type: 'Invalid value',
        value: 0,
        detail: 'must be specified for an update',
      },
    ])
  }
  if (!/^\d+$/.test(version)) {
    throw new Refusal({ code: 500, reason: '', message: notANumber(version) })
  }
  if (version !== old.resourceVersion) throw conflict(type, old.name, modified)
}

/** PUT takes the uid as a condition, in the words of the storage; patches may not change it. */
export function checkUid(type: ResourceType, next: ApiObject, old: ApiObject): void {
  const wanted = next.metadata.uid
  const { uid, name, namespace } = old.metadata
  if (wanted === undefined || wanted === '' || wanted === uid) return
  const group = isCustom(type) ? `${type.group}/` : ''
  const key = ['/registry', `${group}${type.plural}`, namespace, name]
    .filter((part) => part !== undefined)
    .join('/')
  throw conflict(
    type,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`,
  )
}

/** Simulated components hand back the very metadata that they read: then there is nothing to check. */
function withMetadata(next: ApiObject, old: ApiObject): ApiObject {
  if (next.metadata === old.metadata) return next
  return { ...next, metadata: withoutEmpty(changedMetadata(next.metadata, old.metadata)) }
}

/** What the server sets stays, whatever is written. */
function changedMetadata(next: Meta, old: Meta): Meta {
  const { deletionTimestamp = old.deletionTimestamp } = next
  const { deletionGracePeriodSeconds = old.deletionGracePeriodSeconds } = next
  const { uid: _, resourceVersion: __, generation: ___, ...rest } = next
  return {
    ...rest,
    ...(old.namespace !== undefined && { namespace: old.namespace }),
    uid: next.uid || old.uid,
    ...(old.resourceVersion !== undefined && { resourceVersion: old.resourceVersion }),
    ...(old.generation !== undefined && { generation: old.generation }),
    creationTimestamp: old.creationTimestamp,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
  }
}

/** A write of the object leaves the status; a write of the status leaves all else. */
function limitTo(
  { type, subresource }: Write,
  { next, old }: { readonly next: ApiObject; readonly old: ApiObject },
): ApiObject {
  if (subresource !== 'status') return hasStatus(type) ? withStatusOf(next, old) : next
  const metadata = isCustom(type)
    ? { ...old.metadata, ...managedOf(next.metadata) }
    : { ...next.metadata, ...ownersOf(old.metadata) }
  return withStatusOf({ ...old, metadata }, next)
}

const withStatusOf = (object: ApiObject, { status }: ApiObject): ApiObject =>
  status === undefined ? without(object, 'status') : { ...object, status }

const managedOf = ({ managedFields }: Meta) => managedFields && { managedFields }
const ownersOf = ({ ownerReferences }: Meta) => ownerReferences && { ownerReferences }

function countGeneration(type: ResourceType, next: ApiObject, old: ApiObject): ApiObject {
  if (!type.hasGeneration || isSameOutsideMetadata(next, old)) return next
  const generation = (old.metadata.generation ?? 0) + 1
  return { ...next, metadata: { ...next.metadata, generation } }
}

function isSameOutsideMetadata(next: ApiObject, old: ApiObject): boolean {
  const fields = new Set([...Object.keys(next), ...Object.keys(old)])
  for (const field of ['metadata', 'status', 'apiVersion', 'kind']) fields.delete(field)
  return [...fields].every((field) => reuse(next[field], old[field]) === old[field])
}
