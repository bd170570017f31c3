/** Stores a new object: identity, admission, the kind's own rules, in the real server's order. */
import { timeOf } from '../../timestamps.ts'
import type { ApiObject, Meta } from '../object.ts'
import { alreadyExists, badRequest, invalid, Refusal } from '../refusal.ts'
import { checkNewMetadata } from './check-metadata.ts'
import {
  type AdmissionRequest,
  type Cluster,
  hasStatus,
  manageFields,
  situationOf,
  type Write,
} from './cluster.ts'
import { generateName, makeUid } from './names.ts'

/** `object` is decoded and has its defaults; `namespace` is that of the request. */
export function createObject(
  cluster: Cluster,
  write: Write,
  { object, namespace }: { readonly object: ApiObject; readonly namespace: string | undefined },
): ApiObject {
  const { type, dryRun } = write
  const { strategy } = type
  const at = situationOf(cluster)
  if ((object.metadata.resourceVersion ?? '') !== '') throw versionGiven()
  const metadata = newMetadata(cluster, { type, given: object.metadata, namespace })
  const drops = hasStatus(type) && strategy.keepsStatus !== true
  const status = drops ? undefined : object.status
  const named = without({ ...object, metadata }, status === undefined ? 'status' : undefined)
  // What admission and the kind's rules set has no owner.
  const managed = manageFields(cluster, write, { next: named, old: undefined })
  const request: AdmissionRequest = {
    operation: 'CREATE',
    type,
    subresource: write.subresource,
    object: managed,
    old: undefined,
    dryRun,
    at,
  }
  const admitted = cluster.admit(request)
  const prepared = strategy.prepareCreate?.(admitted, at) ?? admitted
  const errors = [
    ...checkNewMetadata(type, prepared),
    ...(strategy.validateCreate?.(prepared, at) ?? []),
  ]
  if (errors.length > 0) throw invalid(type, metadata.name, errors)
  cluster.examine?.({ ...request, object: prepared })
  if (cluster.store.get(type, metadata) !== undefined) throw alreadyExists(type, metadata.name)
  return dryRun ? prepared : cluster.store.put(type, prepared)
}

const versionGiven = (): Refusal =>
  new Refusal({
    code: 500,
    reason: '',
    message: 'resourceVersion should not be set on objects to be created',
  })

function newMetadata(
  cluster: Cluster,
  made: {
    readonly type: Write['type']
    readonly given: Meta
    readonly namespace: string | undefined
  },
): Meta {
  const { type, given } = made
  const { random, agenda, store } = cluster
  const namespace = namespaceFor(made.namespace, given.namespace)
  const place = namespace === undefined ? {} : { namespace }
  let name = given.name ?? ''
  if (name === '' && (given.generateName ?? '') !== '') {
    do name = generateName(given.generateName ?? '', random)
    while (store.get(type, { ...place, name }) !== undefined)
  }
  const {
    labels,
    annotations,
    ownerReferences,
    finalizers,
    managedFields,
    generateName: base,
  } = given
  return withoutEmpty({
    name,
    ...(base !== undefined && base !== '' && { generateName: base }),
    ...place,
    uid: makeUid(random),
    ...(type.hasGeneration && { generation: 1 }),
    creationTimestamp: timeOf(agenda.wall()),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
    ...(managedFields && { managedFields }),
  })
}

const optional = ['labels', 'annotations', 'ownerReferences', 'finalizers'] as const

/** Empty maps and lists are as absent: Go does not write them. */
export function withoutEmpty(metadata: Meta): Meta {
  const empty = optional.filter((field) => {
    const value = metadata[field]
    return value !== undefined && Object.keys(value).length === 0
  })
  if (empty.length === 0) return metadata
  const rest = { ...metadata }
  for (const field of empty) delete rest[field]
  return rest
}

/** The path decides; what the object says may be missing, but not differ. */
export function namespaceFor(
  ofRequest: string | undefined,
  ofObject: string | undefined,
): string | undefined {
  if (ofRequest === undefined || (ofObject ?? '') === '' || ofObject === ofRequest) return ofRequest
  throw badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  )
}

export function without(object: ApiObject, field: string | undefined): ApiObject {
  if (field === undefined || !(field in object)) return object
  const { [field]: _, ...rest } = object
  return rest as ApiObject
}
