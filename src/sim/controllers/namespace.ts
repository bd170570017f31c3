/** A namespace that is deleted goes once all that is in it is gone; a new one gets what pods expect. */
import type { Agenda } from '../agenda.ts'
import type { Api, ResourceRef } from '../apiserver/api.ts'
import { type ApiObject, placeOf } from '../apiserver/object.ts'
import { Refusal } from '../apiserver/refusal.ts'
import { configMaps, namespaces, serviceAccounts } from '../resources.ts'
import { rewrite } from '../rewrite.ts'
import { timeOf } from '../timestamps.ts'
import { createLoop } from './loop.ts'
import { type Content, namespaceConditions } from './namespace-conditions.ts'
import { type Condition, manager } from './workload.ts'

/** What goes at once is seen together. */
const gathering = 50

type Namespace = ApiObject<unknown, { readonly conditions?: readonly Condition[] }>

export function runNamespaces(at: {
  readonly api: Api
  readonly agenda: Agenda
  /** The certificate of the server, which every namespace has in `kube-root-ca.crt`. */
  readonly authority: string
}): void {
  const { api, agenda, authority } = at

  const loop = createLoop(agenda, (name) => {
    const namespace = api.find(namespaces, { name }) as Namespace | undefined
    if (namespace === undefined) return undefined
    if (namespace.metadata.deletionTimestamp === undefined) {
      furnish(name)
      return undefined
    }
    clear(namespace)
    return undefined
  })

  const furnish = (namespace: string) => {
    const add = (resource: ResourceRef, object: { metadata: { name: string } }) => {
      if (api.find(resource, { namespace, name: object.metadata.name }) !== undefined) return
      api.create(resource, { ...object, metadata: { ...object.metadata, namespace } }, { manager })
    }
    add(serviceAccounts, { metadata: { name: 'default' } })
    add(
      configMaps,
      Object.assign({ metadata: { name: 'kube-root-ca.crt' } }, { data: { 'ca.crt': authority } }),
    )
  }

  const clear = (namespace: Namespace) => {
    const { name } = namespace.metadata
    const content: Content[] = []
    for (const type of api.types()) {
      if (!type.namespaced) continue
      for (const object of api.list(type, name)) {
        if (object.metadata.deletionTimestamp === undefined) removeIfThere(type, object)
      }
      const left = api.list(type, name)
      if (left.length > 0) content.push({ ...type, objects: left })
    }
    const now = timeOf(agenda.wall())
    if (content.length > 0 || namespace.status?.conditions !== undefined) {
      const by = { manager, subresource: 'status' } as const
      rewrite(api, { of: namespaces, object: namespace, by }, (current) => {
        const conditions = namespaceConditions(current.status?.conditions, { content, now })
        return { ...current, status: { ...current.status, conditions } }
      })
    }
    if (content.length > 0) return
    const by = { manager, subresource: 'finalize' } as const
    rewrite(api, { of: namespaces, object: namespace, by }, (current) => {
      const { finalizers = [] } = (current.spec ?? {}) as { finalizers?: readonly string[] }
      const left = finalizers.filter((one) => one !== 'kubernetes')
      return { ...current, spec: { ...(current.spec as object), finalizers: left } }
    })
  }

  const removeIfThere = (resource: ResourceRef, object: ApiObject) => {
    try {
      api.remove(resource, placeOf(object), { propagation: 'Background' })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }

  const going = new Set<string>()
  api.subscribe(namespaces, ({ type, object, old }) => {
    const { name, deletionTimestamp } = object.metadata
    if (type === 'DELETED') going.delete(name)
    else {
      if (deletionTimestamp !== undefined) going.add(name)
      if (old?.metadata.deletionTimestamp !== deletionTimestamp || old === undefined) loop.add(name)
    }
  })
  api.subscribeAll(({ type, object }) => {
    const { namespace = '' } = object.metadata
    if (type === 'DELETED' && going.has(namespace)) loop.add(namespace, gathering)
  })
  // These come back when somebody deletes them.
  for (const resource of [configMaps, serviceAccounts]) {
    api.subscribe(resource, ({ type, object }) => {
      if (type === 'DELETED') loop.add(object.metadata.namespace ?? '', gathering)
    })
  }
}
