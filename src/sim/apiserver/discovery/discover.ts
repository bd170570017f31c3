/** What kinds of objects there are: `/api`, `/apis` and what is under them, for what is served just now. */
import type { JsonObject } from '../object.ts'
import { noSuchResource } from '../refusal.ts'
import type { ResourceType } from '../resource-type.ts'
import { type Group, groupsOf, type Version } from './groups.ts'
import { type Part, partsOf, verbsOf } from './resources.ts'

type Discovered = { readonly contentType: string; readonly body: JsonObject }

const plainJson = 'application/json'
const aggregatedJson = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Undefined if the path is not about discovery, or of a group that nobody serves. */
export function discover(
  path: string,
  accept: string,
  types: readonly ResourceType[],
): Discovered | undefined {
  const [root, ...rest] = path.split('/').filter((part) => part !== '')
  if (root !== 'api' && root !== 'apis') return undefined
  const isCore = root === 'api'
  const groups = groupsOf(types).filter(({ name }) => (name === '') === isCore)
  const [name, version] = isCore ? ['', ...rest] : rest
  if (rest.length === 0) return discoverRoot({ groups, isCore, accept })
  if (rest.length > (isCore ? 1 : 2)) return undefined
  const group = groups.find((one) => one.name === name)
  if (!group) return undefined
  if (version === undefined)
    return plain({ kind: 'APIGroup', apiVersion: 'v1', ...groupRow(group) })
  const found = group.versions.find((one) => one.version === version)
  if (!found) throw noSuchResource()
  return plain(resourceList(group, found))
}

const plain = (body: JsonObject): Discovered => ({ contentType: plainJson, body })

function discoverRoot({
  groups,
  isCore,
  accept,
}: {
  readonly groups: readonly Group[]
  readonly isCore: boolean
  readonly accept: string
}): Discovered {
  if (wantsAggregated(accept)) return { contentType: aggregatedJson, body: aggregate(groups) }
  if (!isCore)
    return plain({ kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupRow) })
  const versions = groups.flatMap((group) => group.versions.map(({ version }) => version))
  return plain({ kind: 'APIVersions', versions, serverAddressByClientCIDRs: [] })
}

/** The first media type that we have decides. */
function wantsAggregated(accept: string): boolean {
  for (const clause of accept.split(',')) {
    const [type, ...parameters] = clause.split(';').map((part) => part.trim())
    const as = parameters.find((parameter) => parameter.startsWith('as='))
    if (as === undefined && (type === plainJson || type === '*/*')) return false
    const isV2 = parameters.includes('v=v2') && parameters.includes('g=apidiscovery.k8s.io')
    if (as === 'as=APIGroupDiscoveryList' && isV2) return true
  }
  return false
}

const groupVersionOf = ({ name }: Group, { version }: Version): string =>
  name === '' ? version : `${name}/${version}`

function groupRow(group: Group): JsonObject {
  const versions = group.versions.map((version) => ({
    groupVersion: groupVersionOf(group, version),
    version: version.version,
  }))
  return { name: group.name, versions, preferredVersion: versions[0] }
}

const resourceList = (group: Group, version: Version): JsonObject => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: groupVersionOf(group, version),
  resources: version.types.flatMap(plainRows),
})

function plainRows(type: ResourceType): readonly JsonObject[] {
  const { plural, singular, namespaced, kind } = type
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: verbsOf(type),
    ...nicknames(type),
  }
  return [own, ...partsOf(type).map((part) => partRow(type, part))]
}

function partRow(type: ResourceType, { name, verbs, responseKind }: Part): JsonObject {
  const { group, version, kind } = responseKind
  return {
    name: `${type.plural}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...(group !== type.group && { group, version }),
    kind,
    verbs,
  }
}

const nicknames = ({ shortNames, categories }: ResourceType): JsonObject => ({
  ...(shortNames.length > 0 && { shortNames }),
  ...(categories.length > 0 && { categories }),
})

const aggregate = (groups: readonly Group[]): JsonObject => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: groups.map(({ name, versions }) => ({
    metadata: name === '' ? {} : { name },
    versions: versions.map(({ version, types }) => ({
      version,
      resources: types.map(aggregatedRow),
      freshness: 'Current',
    })),
  })),
})

function aggregatedRow(type: ResourceType): JsonObject {
  const { group, version, kind } = type
  const subresources = partsOf(type).map(({ name, verbs, responseKind }) => ({
    subresource: name,
    responseKind,
    verbs,
  }))
  return {
    resource: type.plural,
    responseKind: { group, version, kind },
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: verbsOf(type),
    ...nicknames(type),
    ...(subresources.length > 0 && { subresources }),
  }
}
