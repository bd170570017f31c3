/** A CRD as a whole, with the complaints in the real server's order. */
import { isDeepStrictEqual } from 'node:util'

import { duplicate, required, tooMany, unsupported, wrong } from '../kinds/validate/field-errors.ts'
import { checkRfc1035Label, checkSubdomain } from '../kinds/validate/names.ts'
import type { Json } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { checkSchema } from './check-schema.ts'
import type { Definition, DefinitionSpec, Names, Scale, Version } from './definition.ts'
import { normalizePath } from './field-path.ts'
import { child, keyed, type Schema } from './schema.ts'

export function checkDefinition({
  metadata,
  spec = {},
  status,
}: Definition): readonly FieldError[] {
  const { names = {}, group = '', versions = [] } = spec
  const errors: FieldError[] = []
  if (metadata.name !== `${names.plural ?? ''}.${group}`) {
    const detail = 'must be spec.names.plural+"."+spec.group'
    errors.push(wrong('metadata.name', metadata.name, detail))
  }
  errors.push(...checkSpec(spec), ...checkStored(status?.storedVersions ?? [], versions))
  if (spec.preserveUnknownFields) {
    const detail =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
    errors.push(wrong('spec.preserveUnknownFields', true, detail))
  }
  return errors
}

/** Where objects exist, what they are stored under cannot change. */
export function checkDefinitionUpdate(next: Definition, old: Definition): readonly FieldError[] {
  const isEstablished = old.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  )
  const fixed: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ...(isEstablished
      ? ([
          ['spec.scope', next.spec?.scope, old.spec?.scope],
          ['spec.names.kind', next.spec?.names?.kind, old.spec?.names?.kind],
        ] as const)
      : []),
    ['spec.group', next.spec?.group, old.spec?.group],
    ['spec.names.plural', next.spec?.names?.plural, old.spec?.names?.plural],
  ]
  const [first, rest] = split(checkDefinition(next), ({ field }) => field.startsWith('status.'))
  const changed = fixed.flatMap(([field, value, before]) =>
    value === before ? [] : [wrong(field, value, 'field is immutable')],
  )
  // The name is compared only when it is given: later the group and the plural are.
  return [...first.filter(({ field }) => field !== 'metadata.name'), ...changed, ...rest]
}

const split = <T>(list: readonly T[], isSecond: (item: T) => boolean): readonly [T[], T[]] => [
  list.filter((item) => !isSecond(item)),
  list.filter(isSecond),
]

function checkStored(
  stored: readonly string[],
  versions: readonly Version[],
): readonly FieldError[] {
  const field = 'status.storedVersions'
  if (stored.length === 0) return [wrong(field, null, 'must have at least one stored version')]
  return stored.flatMap((name, i) =>
    versions.some((version) => version.name === name)
      ? []
      : [
          wrong(
            keyed(field, i),
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  )
}

/** What all versions have alike, the real server looks at once, under the spec itself. */
type Shared = Readonly<
  Record<'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields', boolean>
>

function sharedBy(versions: readonly Version[]): Shared {
  const [first] = versions
  const isShared = (name: keyof Shared): boolean =>
    first?.[name] !== undefined &&
    versions.every((one) => isDeepStrictEqual(one[name], first[name]))
  return {
    schema: isShared('schema'),
    subresources: isShared('subresources'),
    additionalPrinterColumns: isShared('additionalPrinterColumns'),
    selectableFields: isShared('selectableFields'),
  }
}

function checkSpec(spec: DefinitionSpec): readonly FieldError[] {
  const { group = '', scope = '', names = {}, versions = [], conversion } = spec
  const errors: FieldError[] = []
  const groupFaults = checkSubdomain(group)
  if (group === '') errors.push(required('spec.group'))
  else if (groupFaults.length > 0) errors.push(wrong('spec.group', group, groupFaults.join(',')))
  else if (!group.includes('.')) {
    errors.push(wrong('spec.group', group, 'should be a domain with at least one dot'))
  }
  const scopes = ['Cluster', 'Namespaced']
  if (scope === '') errors.push(required('spec.scope'))
  else if (!scopes.includes(scope)) errors.push(unsupported('spec.scope', scope, scopes))
  for (const [i, { schema }] of versions.entries()) {
    if (!schema?.openAPIV3Schema) {
      errors.push(required(`${keyed('spec.versions', i)}.schema.openAPIV3Schema`))
    }
  }
  const shared = sharedBy(versions)
  errors.push(
    ...versions.flatMap((version, i) => checkVersion(version, keyed('spec.versions', i), shared)),
  )
  const shownVersions = versions.map((version) => inGo(version))
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(wrong('spec.versions', shownVersions, 'must contain unique version names'))
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const detail = 'must have exactly one version marked as storage version'
    errors.push(wrong('spec.versions', shownVersions, detail))
  }
  const [first] = versions
  const nameFaults = first ? checkRfc1035Label(first.name ?? '') : []
  if (first && nameFaults.length > 0) {
    errors.push(wrong('spec.version', first.name, nameFaults.join(',')))
  }
  errors.push(...checkNames(names))
  if (first) {
    const only = (name: keyof Shared): boolean => shared[name]
    errors.push(...checkParts(first, { path: 'spec', schemaPath: 'spec.validation', has: only }))
  }
  const strategies = ['None', 'Webhook']
  const strategy = conversion?.strategy ?? ''
  if (conversion && !strategies.includes(strategy)) {
    const field = 'spec.conversion.strategy'
    errors.push(strategy === '' ? required(field) : unsupported(field, strategy, strategies))
  }
  if (strategy === 'Webhook' && !conversion?.webhook) {
    const detail = 'required when strategy is set to Webhook'
    errors.push(required('spec.conversion.webhookClientConfig', detail))
    errors.push(required('spec.conversion.conversionReviewVersions'))
  }
  return errors
}

function checkVersion(version: Version, path: string, shared: Shared): readonly FieldError[] {
  const errors: FieldError[] = []
  const faults = checkRfc1035Label(version.name ?? '')
  if (faults.length > 0) errors.push(wrong(child(path, 'name'), version.name, faults.join(',')))
  const { deprecationWarning, deprecated } = version
  if (deprecationWarning !== undefined && !deprecated) {
    const detail = 'can only be set for deprecated versions'
    errors.push(wrong(child(path, 'deprecationWarning'), deprecationWarning, detail))
  }
  const has = (name: keyof Shared): boolean => !shared[name]
  return [...errors, ...checkParts(version, { path, schemaPath: child(path, 'schema'), has })]
}

/** Printed as the real server's own struct; what versions share it has moved away. */
const inGo = ({ name, served, storage, deprecated, deprecationWarning }: Version): Json => ({
  Name: name,
  Served: served,
  Storage: storage,
  Deprecated: deprecated ?? false,
  DeprecationWarning: deprecationWarning ?? null,
  Schema: null,
  Subresources: null,
  AdditionalPrinterColumns: null,
  SelectableFields: null,
})

type Parts = {
  readonly path: string
  readonly schemaPath: string
  readonly has: (name: keyof Shared) => boolean
}

function checkParts(version: Version, { path, schemaPath, has }: Parts): readonly FieldError[] {
  const { schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = version
  const written = schema?.openAPIV3Schema
  const errors: FieldError[] = []
  if (has('schema') && written)
    errors.push(...checkSchema(written, child(schemaPath, 'openAPIV3Schema')))
  if (has('subresources') && subresources?.scale) {
    errors.push(...checkScalePaths(subresources.scale, child(path, 'subresources.scale')))
  }
  if (has('additionalPrinterColumns')) {
    for (const [i, column] of additionalPrinterColumns.entries()) {
      errors.push(...checkColumn(column, keyed(child(path, 'additionalPrinterColumns'), i)))
    }
  }
  if (has('selectableFields') && written) {
    errors.push(...checkSelectable(selectableFields, written, child(path, 'selectableFields')))
  }
  return errors
}

function checkNames(names: Names): readonly FieldError[] {
  const errors: FieldError[] = []
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if ((names[name] ?? '') === '') errors.push(required(`spec.names.${name}`))
  }
  const check = (field: string, value: string, isMixed = false): void => {
    const faults = checkRfc1035Label(isMixed ? value.toLowerCase() : value)
    if (value === '' || faults.length === 0) return
    const before = isMixed ? 'may have mixed case, but should otherwise match: ' : ''
    errors.push(wrong(`spec.names.${field}`, value, before + faults.join(',')))
  }
  check('plural', names.plural ?? '')
  check('singular', names.singular ?? '')
  check('kind', names.kind ?? '', true)
  check('listKind', names.listKind ?? '', true)
  for (const [i, name] of (names.shortNames ?? []).entries()) check(keyed('shortNames', i), name)
  if (names.kind !== undefined && names.kind !== '' && names.kind === names.listKind) {
    const detail = 'kind and listKind may not be the same'
    errors.push(wrong('spec.names.listKind', names.listKind, detail))
  }
  for (const [i, name] of (names.categories ?? []).entries()) check(keyed('categories', i), name)
  return errors
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function checkColumn(
  {
    name,
    type,
    format = '',
    jsonPath = '',
  }: NonNullable<Version['additionalPrinterColumns']>[number],
  path: string,
): readonly FieldError[] {
  const errors: FieldError[] = []
  if (name === '') errors.push(required(child(path, 'name')))
  if (!columnTypes.includes(type)) {
    errors.push(wrong(child(path, 'type'), type, `must be one of ${columnTypes.join(',')}`))
  }
  if (format !== '' && !columnFormats.includes(format)) {
    errors.push(wrong(child(path, 'format'), format, `must be one of ${columnFormats.join(',')}`))
  }
  return [...errors, ...checkPath(jsonPath, child(path, 'JSONPath'))]
}

function checkPath(path: string, field: string): readonly FieldError[] {
  if (path === '') return [required(field)]
  return path.startsWith('.')
    ? []
    : [wrong(field, path, 'must be a simple json path starting with .')]
}

function checkScalePaths(scale: Scale, path: string): readonly FieldError[] {
  const check = (
    name: keyof Scale,
    under: readonly string[],
    detail: string,
  ): readonly FieldError[] => {
    const field = child(path, name)
    const value = scale[name] ?? ''
    const faults = checkPath(value, field)
    if (faults.length > 0) return faults
    return under.some((start) => value.startsWith(start)) ? [] : [wrong(field, value, detail)]
  }
  return [
    ...check('specReplicasPath', ['.spec.'], 'should be a json path under .spec'),
    ...check('statusReplicasPath', ['.status.'], 'should be a json path under .status'),
    ...((scale.labelSelectorPath ?? '') === ''
      ? []
      : check(
          'labelSelectorPath',
          ['.spec.', '.status.'],
          'should be a json path under either .spec or .status',
        )),
  ]
}

const MOST_SELECTABLE = 8

function checkSelectable(
  fields: NonNullable<Version['selectableFields']>,
  schema: Schema,
  path: string,
): readonly FieldError[] {
  const seen = new Set<string>()
  const errors = fields.flatMap(({ jsonPath = '' }, i): readonly FieldError[] => {
    const field = child(keyed(path, i), 'jsonPath')
    if (jsonPath === '') return [required(field)]
    const found = normalizePath(schema, jsonPath, { allowsArrays: false })
    if (found.fault !== undefined) {
      return [wrong(field, jsonPath, `is an invalid path: ${found.fault}`)]
    }
    const faults: FieldError[] = []
    if (/^metadata\b/.test(found.path ?? '')) {
      faults.push(wrong(field, jsonPath, 'must not point to fields in metadata'))
    }
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
      faults.push(wrong(field, jsonPath, detail))
    }
    if (seen.has(found.path ?? '')) faults.push(duplicate(field, jsonPath))
    seen.add(found.path ?? '')
    return faults
  })
  return seen.size > MOST_SELECTABLE
    ? [...errors, tooMany(path, seen.size, MOST_SELECTABLE)]
    : errors
}
