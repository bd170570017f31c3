/** The paths of a resource: kubectl looks here for a resource's kind, and for what PATCH can do. */
import { verbsOf } from '../discovery/resources.ts'
import type { JsonObject } from '../object.ts'
import { apiVersionOf, type ResourceType } from '../resource-type.ts'
import { refTo } from './schema.ts'

const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const inQuery = (type: string) => (name: string) => ({ name, in: 'query', schema: { type } })

const written = ['dryRun', 'fieldManager', 'fieldValidation'].map(inQuery('string'))
const deleted = [
  ...['dryRun', 'propagationPolicy'].map(inQuery('string')),
  inQuery('integer')('gracePeriodSeconds'),
]
const listed = [
  ...['continue', 'fieldSelector', 'labelSelector', 'resourceVersion'].map(inQuery('string')),
  ...['limit', 'timeoutSeconds'].map(inQuery('integer')),
  inQuery('boolean')('watch'),
]

type Operation = {
  readonly method: string
  readonly verb: string
  readonly parameters: readonly JsonObject[]
}

const onCollection: readonly Operation[] = [
  { method: 'get', verb: 'list', parameters: listed },
  { method: 'post', verb: 'create', parameters: written },
  { method: 'delete', verb: 'deletecollection', parameters: deleted },
]
const onObject: readonly Operation[] = [
  { method: 'get', verb: 'get', parameters: [] },
  { method: 'put', verb: 'update', parameters: written },
  { method: 'patch', verb: 'patch', parameters: [...written, inQuery('boolean')('force')] },
  { method: 'delete', verb: 'delete', parameters: deleted },
]

/** `schema` is the name of the kind's schema. */
export function pathsOf(type: ResourceType, schema: string): readonly [string, JsonObject][] {
  const { namespaced, plural, group } = type
  const root = `/${group === '' ? 'api' : 'apis'}/${apiVersionOf(type)}`
  const all = `${root}/${plural}`
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : all
  const places = namespaced ? [inPath('namespace')] : []
  const item = (operations: readonly Operation[], parameters: readonly JsonObject[]) => ({
    ...operationsOf(type, { operations, schema }),
    parameters,
  })
  const paths: [string, JsonObject][] = [
    [collection, item(onCollection, places)],
    [`${collection}/{name}`, item(onObject, [inPath('name'), ...places])],
  ]
  if (namespaced) paths.push([all, item(onCollection.slice(0, 1), [])])
  return paths
}

function operationsOf(
  type: ResourceType,
  { operations, schema }: { readonly operations: readonly Operation[]; readonly schema: string },
): JsonObject {
  const { group, version, kind } = type
  const verbs = verbsOf(type)
  return Object.fromEntries(
    operations
      .filter(({ verb }) => verbs.includes(verb))
      .map(({ method, verb, parameters }) => [
        method,
        {
          parameters,
          responses: { '200': responseOf(verb === 'list' ? `${schema}List` : schema) },
          'x-kubernetes-action': method === 'get' ? verb : method,
          'x-kubernetes-group-version-kind': { group, version, kind },
        },
      ]),
  )
}

const responseOf = (schema: string): JsonObject => ({
  description: 'OK',
  content: { 'application/json': { schema: refTo(schema) } },
})
