/** The resource types that are served; those of CRDs come and go. */
import type { ResourceRef } from '../api.ts'
import { noSuchResource } from '../refusal.ts'
import type { ResourceType } from '../resource-type.ts'

export type Catalog = {
  readonly all: () => readonly ResourceType[]
  readonly find: (at: {
    readonly group: string
    readonly version: string
    readonly plural: string
  }) => ResourceType | undefined
  /** Whatever its version; throws if it is not served. */
  readonly get: (of: ResourceRef) => ResourceType
  readonly hasGroupVersion: (group: string, version: string) => boolean
  readonly add: (types: readonly ResourceType[]) => void
  readonly remove: (of: ResourceRef) => void
}

const refOf = ({ group, plural }: ResourceRef): string => `${group}/${plural}`
const keyOf = (at: ResourceRef & { readonly version: string }): string =>
  `${refOf(at)}/${at.version}`

export function createCatalog(types: readonly ResourceType[]): Catalog {
  let list: readonly ResourceType[] = []
  let byKey = new Map<string, ResourceType>()
  let byRef = new Map<string, ResourceType>()
  let groupVersions = new Set<string>()

  const set = (next: readonly ResourceType[]) => {
    list = next
    byKey = new Map(next.map((type) => [keyOf(type), type]))
    // The first version of a resource is the preferred one: it wins.
    byRef = new Map(next.toReversed().map((type) => [refOf(type), type]))
    groupVersions = new Set(next.map(({ group, version }) => `${group}/${version}`))
  }
  set(types)

  return {
    all: () => list,
    find: (at) => byKey.get(keyOf(at)),
    get: (of) => {
      const type = byRef.get(refOf(of))
      if (type === undefined) throw noSuchResource()
      return type
    },
    hasGroupVersion: (group, version) => groupVersions.has(`${group}/${version}`),
    add: (more) => {
      const added = new Set(more.map(keyOf))
      set([...list.filter((type) => !added.has(keyOf(type))), ...more])
    },
    remove: (of) => set(list.filter((type) => refOf(type) !== refOf(of))),
  }
}
