/** CustomResourceDefinition as a kind: what the server sets, and what it refuses. */
import { timeOf } from '../../timestamps.ts'
import { createdAt } from '../kinds/columns.ts'
import type { ApiObject } from '../object.ts'
import type { ResourceType } from '../resource-type.ts'
import { checkDefinition, checkDefinitionUpdate } from './check-definition.ts'
import { asDefinition, type Definition, type DefinitionStatus, type Version } from './definition.ts'
import { readSchema } from './read-schema.ts'

export const crdRules: Pick<
  ResourceType,
  'strategy' | 'columns' | 'selectableFields' | 'hasGeneration'
> = {
  columns: [createdAt],
  selectableFields: {},
  hasGeneration: true,
  strategy: {
    setDefaults: (object) => withDefaults(withSchemas(asDefinition(object))),
    prepareCreate: (object, { now }) => establish({ ...object, status: {} }, now),
    prepareUpdate: (next, old, { now, subresource }) =>
      subresource === 'status'
        ? { ...old, metadata: next.metadata, status: next.status }
        : establish({ ...next, status: old.status }, now),
    validateCreate: (object) => checkDefinition(asDefinition(object)),
    validateUpdate: (next, old, { subresource }) =>
      subresource === 'status' ? [] : checkDefinitionUpdate(asDefinition(next), asDefinition(old)),
  },
}

/** The shape of a CRD leaves its schemas as they were written. */
function withSchemas(crd: Definition): Definition {
  const { spec } = crd
  if (!spec?.versions) return crd
  const versions = spec.versions.map(withSchema)
  const isSame = versions.every((version, i) => version === spec.versions?.[i])
  return isSame ? crd : { ...crd, spec: { ...spec, versions } }
}

function withSchema(version: Version): Version {
  const written = version.schema?.openAPIV3Schema ?? undefined
  if (written === undefined) return version
  const openAPIV3Schema = readSchema(written)
  return openAPIV3Schema === written ? version : { ...version, schema: { openAPIV3Schema } }
}

function withDefaults(crd: Definition): Definition {
  const { spec = {} } = crd
  const { names = {} } = spec
  const { kind = '' } = names
  const derived = kind === '' ? {} : { singular: kind.toLowerCase(), listKind: `${kind}List` }
  const isNamed = (names.singular ?? '') !== '' && (names.listKind ?? '') !== ''
  if (spec.conversion && (isNamed || kind === '')) return crd
  const given = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== ''))
  return {
    ...crd,
    spec: {
      ...spec,
      names: { ...names, ...derived, ...given },
      conversion: spec.conversion ?? { strategy: 'None' },
    },
  }
}

/** The real server's controllers need a moment for this; here names are accepted at once. */
function establish(object: ApiObject, now: number): Definition {
  const crd = asDefinition(object)
  const { spec = {}, status = {} } = crd
  const stored = (spec.versions ?? []).filter(({ storage }) => storage).map(({ name }) => name)
  const storedVersions = [...new Set([...(status.storedVersions ?? []), ...stored])]
  const next: DefinitionStatus = {
    conditions: status.conditions ?? conditionsAt(now),
    ...(spec.names && { acceptedNames: spec.names }),
    storedVersions: stored.length === 1 ? storedVersions : (status.storedVersions ?? []),
  }
  return { ...crd, status: next }
}

const conditionsAt = (now: number): NonNullable<DefinitionStatus['conditions']> => {
  const lastTransitionTime = timeOf(now)
  return [
    {
      type: 'NamesAccepted',
      status: 'True',
      lastTransitionTime,
      reason: 'NoConflicts',
      message: 'no conflicts found',
    },
    {
      type: 'Established',
      status: 'True',
      lastTransitionTime,
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    },
  ]
}
