/** What a POST to a subresource does, such as a binding or an eviction: the kind's own code does it. */
import type { ResourceRef } from '../api.ts'
import type { ApiObject, JsonObject } from '../object.ts'
import { methodNotAllowed } from '../refusal.ts'
import type { ResourceType, Subresource } from '../resource-type.ts'
import { type Cluster, situationOf } from './cluster.ts'
import { removeObject } from './remove.ts'

type Act = {
  readonly type: ResourceType
  readonly object: ApiObject
  readonly subresource: Subresource
  readonly body: JsonObject
  readonly dryRun: boolean
  /** Of whatever else the action writes. */
  readonly typeOf: (of: ResourceRef) => ResourceType
}

export function actOn(cluster: Cluster, act: Act): void {
  const { type, object, subresource, body, dryRun, typeOf } = act
  const action = type.actions?.[subresource]
  if (action === undefined) throw methodNotAllowed()
  action({
    object,
    body,
    dryRun,
    at: situationOf(cluster),
    put: (of, next) => (dryRun ? next : cluster.store.put(typeOf(of), next)),
    remove: (by) => void removeObject(cluster, type, { old: object, by }),
  })
}
