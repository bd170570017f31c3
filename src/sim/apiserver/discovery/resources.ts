/** What discovery says of one resource type, before it is put in either of the two forms. */
import type { ResourceType, Subresource } from '../resource-type.ts'

type Kind = { readonly group: string; readonly version: string; readonly kind: string }

const all = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
/** The real server lists those of CRDs in an order of its own. */
const custom = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

export const verbsOf = (type: ResourceType): readonly string[] =>
  type.verbs ?? (type.writtenSchema === undefined ? all : custom)

const readAndWrite = ['get', 'patch', 'update']
const partVerbs: Readonly<Record<Subresource, readonly string[]>> = {
  status: readAndWrite,
  scale: readAndWrite,
  resize: readAndWrite,
  binding: ['create'],
  eviction: ['create'],
  token: ['create'],
  finalize: ['update'],
  log: ['get'],
}

/** Subresources that are of another kind than their resource. */
const partKinds: Partial<Readonly<Record<Subresource, Kind>>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  binding: { group: '', version: 'v1', kind: 'Binding' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
}

export type Part = {
  readonly name: Subresource
  readonly verbs: readonly string[]
  readonly responseKind: Kind
}

/** By name, as the real server has them, but of CRDs the status first. */
export function partsOf(type: ResourceType): readonly Part[] {
  const { group, version, kind, subresources, writtenSchema } = type
  return (writtenSchema === undefined ? subresources.toSorted() : subresources).map((name) => ({
    name,
    verbs: partVerbs[name],
    responseKind: partKinds[name] ?? { group, version, kind },
  }))
}
