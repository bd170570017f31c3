/** The entries of `metadata.managedFields`: who wrote what, and how. */
import { type ApiObject, isJsonObject, type Json, type ManagedFields } from '../object.ts'
import { type FieldSet, isNone, union } from './field-set.ts'
import { sameItems } from './typed.ts'

export type Managed = ManagedFields & { readonly fieldsV1: FieldSet }
export type Writer = Pick<ManagedFields, 'manager' | 'operation' | 'apiVersion'> & {
  readonly subresource?: string | undefined
}

/** An applier is the same in every version of the API. */
export const isBy = (entry: Writer, writer: Writer): boolean =>
  entry.manager === writer.manager &&
  entry.operation === writer.operation &&
  (entry.operation === 'Apply' || entry.apiVersion === writer.apiVersion) &&
  (entry.subresource ?? '') === (writer.subresource ?? '')

/** Writers are sorted by this text where time does not tell them apart. */
export const identityOf = ({ manager, operation, apiVersion, subresource }: Writer): string =>
  JSON.stringify({
    manager,
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== undefined && subresource !== '' && { subresource }),
  })

export const entryOf = (
  { manager, operation, apiVersion, subresource }: Writer,
  fieldsV1: FieldSet,
  time?: string,
): Managed => ({
  manager,
  operation,
  apiVersion,
  ...(time !== undefined && { time }),
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...(subresource !== undefined && subresource !== '' && { subresource }),
})

const noEntries: readonly Managed[] = []

/** Those of a stored object were made here, and make sense. */
export const entriesOf = (stored: ApiObject | undefined): readonly Managed[] =>
  (stored?.metadata.managedFields as readonly Managed[] | undefined) ?? noEntries

/** Undefined if an entry makes no sense: the server then takes none of them. */
export const readEntries = (sent: readonly unknown[]): readonly Managed[] | undefined =>
  sent.every(isEntry) ? sent : undefined

const isEntry = (entry: unknown): entry is Managed =>
  isJsonObject(entry) &&
  (entry['operation'] === 'Apply' || entry['operation'] === 'Update') &&
  typeof entry['apiVersion'] === 'string' &&
  entry['apiVersion'] !== '' &&
  entry['fieldsType'] === 'FieldsV1' &&
  isFieldSet(entry['fieldsV1'])

const isFieldSet = (value: Json | undefined): boolean =>
  isJsonObject(value) &&
  Object.entries(value).every(
    ([element, below]) => (element === '.' || /^[fkvi]:/.test(element)) && isFieldSet(below),
  )

/** The object with these entries, in the server's order; the object itself if it has them already. */
export function withEntries(object: ApiObject, entries: readonly Managed[]): ApiObject {
  if (object.metadata.managedFields === entries) return object
  if (entries.length > 0) {
    const managedFields = sortEntries(entries)
    if (sameItems(managedFields, object.metadata.managedFields ?? [])) return object
    return { ...object, metadata: { ...object.metadata, managedFields } }
  }
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function sortEntries(entries: readonly Managed[]): readonly Managed[] {
  const isSorted = entries.every((entry, index) => compare(entries[index - 1] ?? entry, entry) <= 0)
  return isSorted ? entries : entries.toSorted(compare)
}

const compare = (a: Managed, b: Managed): number =>
  inOrder(a.operation, b.operation) ||
  inOrder(a.time ?? '', b.time ?? '') ||
  inOrder(a.manager, b.manager) ||
  inOrder(a.apiVersion, b.apiVersion) ||
  inOrder(a.subresource ?? '', b.subresource ?? '')

const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

export const dropEmpty = (entries: readonly Managed[]): readonly Managed[] =>
  entries.some(({ fieldsV1 }) => isNone(fieldsV1))
    ? entries.filter(({ fieldsV1 }) => !isNone(fieldsV1))
    : entries

/** So that many controllers with many names cannot fill an object. */
const maxUpdaters = 10

/** The oldest updaters beyond the limit become one, `ancient-changes`, for each version of the API. */
export function capUpdaters(entries: readonly Managed[]): readonly Managed[] {
  if (entries.length <= maxUpdaters) return entries
  const updaters = entries.filter(({ operation }) => operation === 'Update')
  if (updaters.length <= maxUpdaters) return entries
  const oldest = updaters.toSorted(
    (a, b) => inOrder(a.time ?? '', b.time ?? '') || inOrder(identityOf(a), identityOf(b)),
  )
  const kept = new Map(entries.map((entry) => [identityOf(entry), entry]))
  const first = new Map<string, string>()
  for (const entry of oldest) {
    if (updaters.length - (entries.length - kept.size) <= maxUpdaters) break
    const { apiVersion, time } = entry
    const bucket: Writer = { manager: 'ancient-changes', operation: 'Update', apiVersion }
    const [id, bucketId, firstId] = [identityOf(entry), identityOf(bucket), first.get(apiVersion)]
    if (firstId === undefined) {
      first.set(apiVersion, id)
      continue
    }
    const before = kept.get(bucketId) ?? kept.get(firstId)
    if (!kept.has(bucketId)) kept.delete(firstId)
    kept.delete(id)
    kept.set(bucketId, entryOf(bucket, union(entry.fieldsV1, before?.fieldsV1 ?? {}), time))
  }
  return [...kept.values()]
}
