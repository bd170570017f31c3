/**
 * Deletes an object, or marks it: pods wait for their kubelet, finalizers hold it, and the way its
 * dependents go is written down as a finalizer for the garbage collector.
 */
import { timeOf } from '../../timestamps.ts'
import type { DeleteBy } from '../api.ts'
import type { ApiObject, Meta } from '../object.ts'
import { conflict } from '../refusal.ts'
import type { ResourceType } from '../resource-type.ts'
import { type AdmissionRequest, type Cluster, situationOf } from './cluster.ts'
import { isDone } from './update.ts'

type Removed = {
  /** As it is marked, or was last. */
  readonly object: ApiObject
  readonly gone: boolean
}

export function removeObject(
  cluster: Cluster,
  type: ResourceType,
  { old, by }: { readonly old: ApiObject; readonly by: DeleteBy },
): Removed {
  checkConditions(type, old.metadata, by)
  const dryRun = by.dryRun === true
  const at = situationOf(cluster)
  const operation = 'DELETE'
  const request: AdmissionRequest = {
    operation,
    type,
    subresource: '',
    object: old,
    old,
    dryRun,
    at,
  }
  cluster.admit(request)
  cluster.examine?.(request)
  const marked = mark(type, { old, by, now: at.now })
  if (marked === undefined || isDone(marked)) {
    const last = marked ?? old
    if (!dryRun) cluster.store.delete(type, last)
    return { object: last, gone: true }
  }
  const unchanged = marked === old || dryRun
  return { object: unchanged ? marked : cluster.store.put(type, marked), gone: false }
}

function checkConditions(type: ResourceType, { name, uid, resourceVersion }: Meta, by: DeleteBy) {
  // By its kind here, unlike everywhere else.
  const named = { group: type.group, plural: type.kind }
  if (by.uid !== undefined && by.uid !== uid) {
    const said = `the UID in the precondition (${by.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`
    throw conflict(named, name, said)
  }
  if (by.resourceVersion !== undefined && by.resourceVersion !== resourceVersion) {
    const said = `the ResourceVersion in the precondition (${by.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`
    throw conflict(named, name, said)
  }
}

type Marking = { readonly old: ApiObject; readonly by: DeleteBy; readonly now: number }

/** With a deletion timestamp; undefined if it can go at once. */
function mark(type: ResourceType, { old, by, now }: Marking): ApiObject | undefined {
  const { metadata } = old
  const grace = type.strategy.graceSeconds?.(old, by.graceSeconds)
  if (metadata.deletionTimestamp !== undefined) return hasten({ old, by, now }, grace)
  const finalizers = finalizersFor(metadata.finalizers ?? [], by)
  const held = finalizers.length > 0 || isNamespace(type)
  if (grace === undefined && !held) return undefined
  const seconds = grace ?? 0
  const { finalizers: _, ...rest } = metadata
  const marked = {
    ...old,
    metadata: {
      ...rest,
      ...(metadata.generation !== undefined && { generation: metadata.generation + 1 }),
      deletionTimestamp: timeOf(now + seconds * 1000),
      deletionGracePeriodSeconds: seconds,
      ...(finalizers.length > 0 && { finalizers }),
    },
  }
  if (!isNamespace(type)) return marked
  return { ...marked, status: { ...(old.status as object | undefined), phase: 'Terminating' } }
}

/** A second deletion can only shorten the time that is left. */
function hasten({ old, by, now }: Marking, grace: number | undefined): ApiObject {
  const { deletionGracePeriodSeconds: before = 0 } = old.metadata
  if (grace === undefined || by.graceSeconds === undefined || grace >= before) return old
  const since = Date.parse(old.metadata.deletionTimestamp ?? '') - before * 1000
  const deletionTimestamp = timeOf(grace === 0 ? now : since + grace * 1000)
  const metadata = { ...old.metadata, deletionTimestamp, deletionGracePeriodSeconds: grace }
  return { ...old, metadata }
}

const isNamespace = ({ group, plural }: ResourceType): boolean =>
  group === '' && plural === 'namespaces'

const policies = { Foreground: 'foregroundDeletion', Orphan: 'orphan', Background: undefined }

/** Without a policy it stays as an earlier writer of finalizers wanted it. */
function finalizersFor(given: readonly string[], { propagation }: DeleteBy): readonly string[] {
  if (propagation === undefined) return given
  const chosen = policies[propagation]
  const others = given.filter((name) => name !== 'foregroundDeletion' && name !== 'orphan')
  return chosen === undefined ? others : [...others, chosen]
}
