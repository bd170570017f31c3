import { apiVersionOf, type KubeObject, type Resource } from '../../apis/object.ts'

export type AnyResource = Resource<KubeObject>

export type Place = {
  readonly namespace?: string | undefined
  readonly name: string
  readonly subresource?: string | undefined
}

/** As kubectl says it: `pods`, `pods/resize`, `podallocations.allocation.mbcas.io`. */
export const resourceName = ({ plural, group }: AnyResource, subresource?: string): string =>
  `${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`

export const objectName = (resource: AnyResource, at: Place): string =>
  `${resourceName(resource, at.subresource)} ${at.namespace === undefined ? '' : `${at.namespace}/`}${at.name}`

/** Of all namespaces, if none is given. */
export function collectionPath(resource: AnyResource, namespace: string | undefined): string {
  const root = resource.group === '' ? '/api' : '/apis'
  const inside = resource.namespaced && namespace !== undefined
  const place = inside ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}/${apiVersionOf(resource)}${place}/${resource.plural}`
}

export function objectPath(resource: AnyResource, at: Place): string {
  if (at.name === '') throw new TypeError(`naming one of ${resourceName(resource)}: it has no name`)
  const end = at.subresource === undefined ? '' : `/${at.subresource}`
  return `${collectionPathOf(resource, at)}/${encodeURIComponent(at.name)}${end}`
}

/** The collection that the object is in. */
export function collectionPathOf(resource: AnyResource, at: Place): string {
  if (resource.namespaced && !at.namespace) {
    throw new TypeError(`naming ${objectName(resource, at)}: it has no namespace`)
  }
  return collectionPath(resource, at.namespace)
}

export function queryOf(
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
