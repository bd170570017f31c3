/** A CRD as resource types: one for each version that is served. */
import { compareVersions } from '../discovery/groups.ts'
import type { ApiObject } from '../object.ts'
import type { ResourceType, Strategy, Subresource } from '../resource-type.ts'
import { checkCreate, checkUpdate } from './check-object.ts'
import { asJson, columnsOf, textOf } from './columns.ts'
import { asDefinition, type Definition, type DefinitionSpec, type Version } from './definition.ts'
import { findByPath, parseJsonPath } from './json-path.ts'
import type { Schema } from './schema.ts'
import { resourceShape } from './shape.ts'

export function typesOf(crd: ApiObject): readonly ResourceType[] {
  const definition = asDefinition(crd)
  const versions = definition.spec?.versions ?? []
  return versions.filter(({ served }) => served).map((version) => typeOf(definition, version))
}

function typeOf({ spec = {}, status }: Definition, version: Version): ResourceType {
  const names = status?.acceptedNames ?? spec.names ?? {}
  const schema: Schema = version.schema?.openAPIV3Schema ?? { type: 'object' }
  const { subresources } = version
  const has: readonly Subresource[] = [
    ...(subresources?.status ? (['status'] as const) : []),
    ...(subresources?.scale ? (['scale'] as const) : []),
  ]
  return {
    group: spec.group ?? '',
    version: version.name,
    kind: names.kind ?? '',
    plural: names.plural ?? '',
    singular: names.singular ?? '',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    shape: resourceShape(schema),
    subresources: has,
    ...(subresources?.scale && { scale: subresources.scale }),
    strategy: strategyOf(version, schema),
    columns: columnsOf(version),
    selectableFields: selectableOf(version),
    hasGeneration: true,
    ...(version.deprecated === true && { deprecationWarning: warningOf(spec, version) }),
    writtenSchema: schema,
  }
}

/** Names the version to use instead: the newest that is served and not deprecated itself. */
function warningOf({ group, names, versions = [] }: DefinitionSpec, old: Version): string {
  if (old.deprecationWarning !== undefined) return old.deprecationWarning
  const [better] = versions
    .filter(({ served, deprecated }) => served && deprecated !== true)
    .map(({ name }) => name)
    .filter((name) => compareVersions(name, old.name) < 0)
    .toSorted(compareVersions)
  const use = better === undefined ? '' : `; use ${group}/${better} ${names?.kind}`
  return `${group}/${old.name} ${names?.kind} is deprecated${use}`
}

function strategyOf({ subresources }: Version, schema: Schema): Strategy {
  const demands = { schema, scale: subresources?.scale }
  const hasStatus = subresources?.status !== undefined
  return {
    prepareCreate: (object) => (hasStatus ? withStatusOf(object, undefined) : object),
    prepareUpdate: (next, old, { subresource }) =>
      subresource === 'status'
        ? { ...old, metadata: next.metadata, ...statusOf(next) }
        : hasStatus
          ? withStatusOf(next, old)
          : next,
    validateCreate: (object) => checkCreate(object, demands),
    validateUpdate: (next, old, { subresource }) =>
      checkUpdate(next, old, { ...demands, isStatus: subresource === 'status' }),
  }
}

const statusOf = ({ status }: ApiObject): Pick<ApiObject, 'status'> =>
  status === undefined ? {} : { status }

/** Where status is a subresource, only it may write the status. */
function withStatusOf(object: ApiObject, old: ApiObject | undefined): ApiObject {
  if (object.status === old?.status) return object
  const { status: _, ...rest } = object
  return { ...rest, ...(old && statusOf(old)) }
}

const selectableOf = ({ selectableFields = [] }: Version): ResourceType['selectableFields'] =>
  Object.fromEntries(
    selectableFields.map(({ jsonPath = '' }) => {
      const path = parseJsonPath(jsonPath) ?? []
      const read = (object: ApiObject): string =>
        textOf(findByPath(asJson(object), path)[0] ?? null)
      return [jsonPath.replace(/^\./, ''), read]
    }),
  )
