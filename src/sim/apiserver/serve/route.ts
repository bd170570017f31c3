/** Which resource, object and part of it a path is about. */
import { noSuchResource } from '../refusal.ts'
import type { ResourceType, Subresource } from '../resource-type.ts'
import type { Catalog } from './catalog.ts'

export type Route = {
  readonly type: ResourceType
  /** Absent for all namespaces, and for what belongs to none. */
  readonly namespace: string | undefined
  /** Absent for a collection. */
  readonly name: string | undefined
  readonly subresource: '' | Subresource
}

/** Undefined if the path is under no group version that is served. */
export function routeOf(catalog: Catalog, path: string): Route | undefined {
  const segments = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodePart)
  const [root, ...rest] = segments
  if (root === 'api') return resourceRoute(catalog, { group: '', rest })
  if (root !== 'apis') return undefined
  const [group = '', ...more] = rest
  return resourceRoute(catalog, { group, rest: more })
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw noSuchResource() // no name has a broken escape in it
  }
}

function resourceRoute(
  catalog: Catalog,
  { group, rest }: { readonly group: string; readonly rest: readonly string[] },
): Route | undefined {
  const [version = '', ...parts] = rest
  if (!catalog.hasGroupVersion(group, version) || parts.length === 0) return undefined
  const { namespace, plural, name, subresource } = splitParts(parts)
  const type = catalog.find({ group, version, plural })
  if (type === undefined) throw noSuchResource()
  const misplaced = type.namespaced
    ? namespace === undefined && name !== undefined
    : namespace !== undefined
  if (misplaced) throw noSuchResource()
  if (subresource !== '' && !isSubresource(type, subresource)) throw noSuchResource()
  return { type, namespace, name, subresource }
}

/** `namespaces/n`, `namespaces/n/finalize` are about a namespace; what is longer is in it. */
function splitParts(parts: readonly string[]) {
  const own = parts.length < 3 || (parts.length === 3 && namespaceParts.has(parts[2] ?? ''))
  const inNamespace = parts[0] === 'namespaces' && !own
  const [plural = '', name, subresource = '', ...more] = inNamespace ? parts.slice(2) : parts
  if (more.length > 0) throw noSuchResource()
  return { namespace: inNamespace ? parts[1] : undefined, plural, name, subresource }
}

const namespaceParts = new Set(['status', 'finalize'])

const isSubresource = ({ subresources }: ResourceType, name: string): name is Subresource =>
  (subresources as readonly string[]).includes(name)
