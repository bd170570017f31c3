/** The embedded API server: the rules of Kubernetes over objects in memory. */
import type { Random } from '../../core/random.ts'
import type { Agenda } from '../agenda.ts'
import { definitions } from '../resources.ts'
import type { Api, Change, ResourceRef, WriteBy } from './api.ts'
import { type ApiObject, type JsonObject, type Place, placeOf } from './object.ts'
import { notFound } from './refusal.ts'
import { apiVersionOf, type ResourceType } from './resource-type.ts'
import { type Catalog, createCatalog } from './serve/catalog.ts'
import type { Core } from './serve/core.ts'
import type { Answer, Request } from './serve/exchange.ts'
import type { Faults } from './serve/faults.ts'
import { createHandler } from './serve/handle.ts'
import { readObject } from './serve/read-body.ts'
import { createStore } from './store/store.ts'
import { actOn } from './write/act.ts'
import type { Cluster, Write } from './write/cluster.ts'
import { createObject } from './write/create.ts'
import { removeObject } from './write/remove.ts'
import { checkUid, updateObject } from './write/update.ts'

export type ApiServer = {
  readonly api: Api
  readonly handle: (request: Request) => Answer
  readonly addTypes: (types: readonly ResourceType[]) => void
  /** With all objects of that resource. */
  readonly removeTypes: (of: ResourceRef) => void
}

export type ServerOptions = {
  readonly agenda: Agenda
  readonly random: Random
  readonly types: readonly ResourceType[]
  readonly admit: Cluster['admit']
  readonly examine?: Cluster['examine']
  /** What a CustomResourceDefinition defines, as far as it can be served. */
  readonly typesOf?: (definition: ApiObject) => readonly ResourceType[]
  readonly faults?: Faults
  /** Changes that each resource remembers for watches. */
  readonly historyLimit?: number
}

export function createApiServer(options: ServerOptions): ApiServer {
  const { agenda, random, admit, examine, historyLimit } = options
  const store = createStore({
    soon: agenda.soon,
    ...(historyLimit !== undefined && { historyLimit }),
  })
  const catalog = createCatalog(options.types)
  const cluster: Cluster = { store, agenda, random, admit, examine }
  const api = apiOf(cluster, catalog)
  const core: Core = { ...cluster, catalog, api }

  const removeTypes = (of: ResourceRef) => {
    for (const old of store.list(of)) store.delete(catalog.get(of), old)
    catalog.remove(of)
  }
  if (options.typesOf !== undefined) {
    const replace = (of: ResourceRef, { types, stored }: Defined) => {
      catalog.remove(of)
      catalog.add(types)
      const type = types.find(({ version }) => version === stored)
      if (type !== undefined) store.reread(type, (object) => readAs(type, object))
    }
    followDefinitions(api, { typesOf: options.typesOf, replace, remove: removeTypes })
  }
  return {
    api,
    handle: createHandler(core, options.faults),
    addTypes: catalog.add,
    removeTypes,
  }
}

/** Defaults of the schema as it is now are set, and what it does not know is gone. */
function readAs(type: ResourceType, object: ApiObject): ApiObject {
  const named = { ...object, kind: type.kind, apiVersion: apiVersionOf(type) }
  return readObject(type, named as unknown as JsonObject, 'Ignore').object
}

const writeOf = (type: ResourceType, { manager, subresource, dryRun = false }: WriteBy): Write => ({
  type,
  manager,
  subresource: subresource ?? '',
  dryRun,
})

function apiOf(cluster: Cluster, catalog: Catalog): Api {
  const { store } = cluster
  const existing = (type: ResourceType, place: Place): ApiObject => {
    const object = store.get(type, place)
    if (object === undefined) throw notFound(type, place.name)
    return object
  }
  return {
    find: store.get,
    list: store.list,
    create: (of, object, by) => {
      const type = catalog.get(of)
      const read = readObject(type, object as JsonObject, 'Ignore').object
      const { namespace } = read.metadata
      return createObject(cluster, writeOf(type, by), { object: read, namespace })
    },
    update: (of, next, by) => {
      const type = catalog.get(of)
      const old = existing(type, placeOf(next))
      checkUid(type, next, old)
      return updateObject(cluster, writeOf(type, by), { next, old })
    },
    act: (of, place, { subresource, body }) => {
      const type = catalog.get(of)
      const object = existing(type, place)
      actOn(cluster, { type, object, subresource, body, dryRun: false, typeOf: catalog.get })
    },
    remove: (of, place, by = {}) => {
      const type = catalog.get(of)
      return removeObject(cluster, type, { old: existing(type, place), by }).object
    },
    subscribe: store.subscribe,
    subscribeAll: (listener) => store.subscribe('all', listener),
    types: catalog.all,
    version: store.version,
  }
}

/** A CRD's types are served as soon as it is stored, change with it, and go with it. */
function followDefinitions(
  api: Api,
  to: {
    readonly typesOf: (definition: ApiObject) => readonly ResourceType[]
    readonly replace: (of: ResourceRef, by: Defined) => void
    readonly remove: (of: ResourceRef) => void
  },
): void {
  api.subscribe(definitions, ({ type, object }: Change) => {
    const { group, names, versions } = object.spec as DefinitionSpec
    const of = { group, plural: names.plural }
    if (type === 'DELETED') return to.remove(of)
    const stored = versions.find(({ storage }) => storage)?.name
    to.replace(of, { types: to.typesOf(object), stored })
  })
}

type DefinitionSpec = {
  readonly group: string
  readonly names: { readonly plural: string }
  readonly versions: readonly { readonly name: string; readonly storage: boolean }[]
}

type Defined = {
  readonly types: readonly ResourceType[]
  /** The version that objects are kept as. */
  readonly stored: string | undefined
}
