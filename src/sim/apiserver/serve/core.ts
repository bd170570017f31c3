/** What the verbs share: the objects, the types, and how an object of one type is kept as another. */
import type { Api } from '../api.ts'
import type { ApiObject } from '../object.ts'
import type { ResourceType } from '../resource-type.ts'
import type { Cluster } from '../write/cluster.ts'
import type { Catalog } from './catalog.ts'
import type { Request } from './exchange.ts'
import type { Route } from './route.ts'

export type Core = Cluster & {
  readonly catalog: Catalog
  readonly api: Api
}

/** A request whose path was understood. */
export type Call = Request &
  Route & {
    readonly query: URLSearchParams
  }

export type Keeping = {
  /** The type that is stored. */
  readonly stored: ResourceType
  readonly toStored: (object: ApiObject) => ApiObject
  readonly fromStored: (object: ApiObject) => ApiObject
}

const asItIs = (object: ApiObject): ApiObject => object

export function keepingOf({ catalog }: Core, type: ResourceType): Keeping {
  if (type.storedAs === undefined) {
    return { stored: type, toStored: asItIs, fromStored: asItIs }
  }
  const { of, toStored, fromStored } = type.storedAs
  return { stored: catalog.get(of), toStored, fromStored }
}
