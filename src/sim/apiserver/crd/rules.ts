/** CustomResourceDefinition as a kind: what the server sets, and what it refuses. */
import { timeOf } from '../../timestamps.ts'
import { createdAt } from '../kinds/columns.ts'
import type { ApiObject } from '../object.ts'
import type { ResourceType } from '../resource-type.ts'
import { checkDefinition, checkDefinitionUpdate } from './check-definition.ts'
import { asDefinition, type Definition, type DefinitionStatus } from './definition.ts'

export const crdRules: Pick<
  ResourceType,
  'strategy' | 'columns' | 'selectableFields' | 'hasGeneration'
> = {
  columns: [createdAt],
  selectableFields: {},
  hasGeneration: true,
  strategy: {
    setDefaults: (object) => withDefaults(asDefinition(object)),
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
