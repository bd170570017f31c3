/** What the port's calls are on the wire: path, query, body, and whether they can be repeated. */
import type { Keep } from '../../apis/keep.ts'
import { apiVersionOf, type KubeObject } from '../../apis/object.ts'
import type {
  ListQuery,
  ObjectPlace,
  Patch,
  Purpose,
  RemoveOptions,
  RequestOptions,
  WatchQuery,
  WriteOptions,
} from '../../ports/kube.ts'
import type { HttpRequest } from './exchange.ts'
import {
  type AnyResource,
  collectionPath,
  collectionPathOf,
  objectName,
  objectPath,
  type Place,
  queryOf,
  resourceName,
} from './paths.ts'

export type ApiRequest = Omit<HttpRequest, 'pool'> & {
  readonly resource: AnyResource | undefined
  readonly subresource?: string | undefined
  readonly purpose: Purpose
  /** Sending it twice does no more than sending it once. */
  readonly repeatable: boolean
  /** What is read of each object in the answer. */
  readonly keep?: Keep | undefined
}

export function getRequest(
  resource: AnyResource,
  at: ObjectPlace,
  options?: RequestOptions,
): ApiRequest {
  return {
    ...reading(resource, options),
    title: `getting ${objectName(resource, at)}`,
    path: objectPath(resource, at),
    subresource: at.subresource,
  }
}

export function listRequest(
  resource: AnyResource,
  query: ListQuery,
  options?: RequestOptions,
): ApiRequest {
  const { namespace, ...parameters } = query
  return {
    ...reading(resource, options),
    title: `listing ${collectionName(resource, namespace)}`,
    path: collectionPath(resource, namespace) + queryOf(parameters),
  }
}

export function watchRequest(
  resource: AnyResource,
  query: WatchQuery,
  options: RequestOptions,
): ApiRequest {
  const { namespace, allowBookmarks, ...parameters } = query
  const allowWatchBookmarks = allowBookmarks === true ? true : undefined
  return {
    ...reading(resource, options),
    title: `watching ${collectionName(resource, namespace)}`,
    path:
      collectionPath(resource, namespace) +
      queryOf({ watch: true, allowWatchBookmarks, ...parameters }),
  }
}

export function createRequest(
  resource: AnyResource,
  object: KubeObject,
  options: WriteOptions = {},
): ApiRequest {
  const { name, generateName = '' } = object.metadata
  const at = { ...placeOf(object, options), name: name ?? `${generateName}...` }
  const path =
    at.subresource === undefined ? collectionPathOf(resource, at) : objectPath(resource, at)
  return {
    ...writing(resource, at, options),
    title: `creating ${objectName(resource, at)}`,
    method: 'POST',
    path: path + writeQuery(options),
    body: JSON.stringify(typed(resource, object, at.subresource)),
    repeatable: false,
  }
}

export function updateRequest(
  resource: AnyResource,
  object: KubeObject,
  options: WriteOptions = {},
): ApiRequest {
  const at = placeOf(object, options)
  return {
    ...writing(resource, at, options),
    title: `updating ${objectName(resource, at)}`,
    method: 'PUT',
    path: objectPath(resource, at) + writeQuery(options),
    body: JSON.stringify(typed(resource, object, at.subresource)),
    repeatable: object.metadata.resourceVersion !== undefined, // else it would undo what came between
  }
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

export function patchRequest(
  resource: AnyResource,
  place: ObjectPlace,
  { patch, options = {} }: { readonly patch: Patch; readonly options?: WriteOptions | undefined },
): ApiRequest {
  const at = { ...place, subresource: place.subresource ?? options.subresource }
  const applied = patch.type === 'apply'
  const query = applied
    ? { fieldManager: patch.fieldManager, force: patch.force === true ? true : undefined }
    : { fieldManager: options.fieldManager }
  return {
    ...writing(resource, at, options),
    title: `${applied ? 'applying' : 'patching'} ${objectName(resource, at)}`,
    method: 'PATCH',
    path: objectPath(resource, at) + queryOf({ ...query, dryRun: dryRunOf(options) }),
    contentType: patchTypes[patch.type],
    body: JSON.stringify(patch.type === 'json' ? patch.operations : patch.body),
    repeatable: applied,
  }
}

export function removeRequest(
  resource: AnyResource,
  at: ObjectPlace,
  options: RemoveOptions = {},
): ApiRequest {
  const { uid, resourceVersion } = options
  return {
    ...writing(resource, at, options),
    title: `deleting ${objectName(resource, at)}`,
    method: 'DELETE',
    path: objectPath(resource, at),
    // Where there is a body the server does not look at the query.
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid, resourceVersion },
      propagationPolicy: options.propagation,
      gracePeriodSeconds: options.gracePeriodSeconds,
      dryRun: options.dryRun === true ? ['All'] : undefined,
    }),
    repeatable: false,
  }
}

export const rawRequest = (path: string, options: RequestOptions = {}): ApiRequest => ({
  title: `getting ${path}`,
  method: 'GET',
  path,
  resource: undefined,
  purpose: options.purpose ?? 'read',
  repeatable: true,
  signal: options.signal,
})

const collectionName = (resource: AnyResource, namespace: string | undefined): string =>
  `${resourceName(resource)}${namespace === undefined ? '' : ` in ${namespace}`}`

const placeOf = ({ metadata }: KubeObject, { subresource }: WriteOptions): Place => ({
  namespace: metadata.namespace,
  name: metadata.name ?? '',
  subresource,
})

const reading = (resource: AnyResource, options: RequestOptions = {}) => ({
  resource,
  method: 'GET' as const,
  purpose: options.purpose ?? (isLease(resource) ? 'lease' : 'read'),
  keep: options.keep,
  repeatable: true,
  signal: options.signal,
})

const writing = (resource: AnyResource, { subresource }: Place, options: RequestOptions) => ({
  resource,
  subresource,
  contentType: 'application/json',
  purpose: options.purpose ?? writePurpose(resource, subresource),
  keep: options.keep,
  signal: options.signal,
})

function writePurpose(resource: AnyResource, subresource: string | undefined): Purpose {
  if (isLease(resource)) return 'lease'
  if (resource.plural === 'events') return 'event'
  return subresource === 'status' ? 'status' : 'write'
}

const isLease = ({ group, plural }: AnyResource): boolean =>
  plural === 'leases' && group === 'coordination.k8s.io'

const dryRunOf = ({ dryRun }: { readonly dryRun?: boolean }) =>
  dryRun === true ? 'All' : undefined

const writeQuery = (options: WriteOptions): string =>
  queryOf({ fieldManager: options.fieldManager, dryRun: dryRunOf(options) })

/** Kinds that a subresource takes and that are not the resource's own. */
const subresourceTypes: Readonly<Record<string, { apiVersion: string; kind: string }>> = {
  eviction: { apiVersion: 'policy/v1', kind: 'Eviction' },
  binding: { apiVersion: 'v1', kind: 'Binding' },
  scale: { apiVersion: 'autoscaling/v1', kind: 'Scale' },
}

/** Items of a list come without apiVersion and kind; the server wants them back. */
function typed(resource: AnyResource, object: KubeObject, subresource = ''): KubeObject {
  const own = { apiVersion: apiVersionOf(resource), kind: resource.kind }
  return { ...(subresourceTypes[subresource] ?? own), ...object }
}
