/** Who owns which fields after a create, an update or a patch. */
import { timeOf } from '../../timestamps.ts'
import type { ApiObject, JsonObject } from '../object.ts'
import type { ObjectShape } from '../shape.ts'
import { compareObjects } from './compare.ts'
import { type FieldSet, difference, inOrder, isNone, none, union } from './field-set.ts'
import { jsonEqual } from './json-equal.ts'
import {
  capUpdaters,
  dropEmpty,
  entriesOf,
  entryOf,
  isBy,
  type Managed,
  readEntries,
  withEntries,
  type Writer,
} from './managers.ts'
import { type Address, dropReset } from './reset-fields.ts'

type Write = Address & {
  readonly old: ApiObject | undefined
  readonly next: ApiObject
  readonly manager: string
  readonly apiVersion: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * `next` as the client wants it, decoded and with defaults, but before admission and before the server
 * sets anything itself: what it sets has no owner.
 */
export function updateManagedFields(write: Write): ApiObject {
  const { old, next, manager, apiVersion, shape, subresource, now } = write
  const entries = entriesBefore(write)
  // Once a client has cleared the entries, nothing is written down until somebody applies.
  if (entries.length === 0 && old !== undefined) return withEntries(next, entries)
  const compared = compareObjects(old as JsonObject | undefined, next as JsonObject, shape)
  if (compared === undefined) return withEntries(next, entries)
  const writer: Writer = {
    manager: manager === '' ? 'unknown' : manager,
    operation: 'Update',
    apiVersion,
    subresource,
  }
  const change = {
    changed: dropReset(compared.changed ?? none, write),
    removed: dropReset(compared.removed ?? none, write),
  }
  return withEntries(next, capUpdaters(afterUpdate(entries, { writer, change, time: timeOf(now) })))
}

/** The client's entries if it sent any that make sense: this is how kubectl migrates to server-side apply. */
function entriesBefore({ old, next, shape, subresource }: Write): readonly Managed[] {
  const live = old?.metadata.managedFields
  const sent = next.metadata.managedFields
  if (sent !== undefined && sent !== live && (subresource ?? '') === '') {
    if (isReset(sent, shape)) return []
    const entries = readEntries(sent)
    const known = live !== undefined && jsonEqual(sent, live)
    if (entries !== undefined && entries.length > 0 && !known) return entries
  }
  return entriesOf(old)
}

/** `[{}]` clears the entries, and for built-in kinds `[]` too: for those of CRDs that is as good as none. */
const isReset = (entries: readonly object[], { typeName }: ObjectShape): boolean =>
  entries.length === 0
    ? typeName !== undefined
    : entries.length === 1 && isNone(entries[0] as FieldSet)

type Change = { readonly changed: FieldSet; readonly removed: FieldSet }

/** What was written is the writer's alone; what is gone is nobody's. */
export function afterUpdate(
  entries: readonly Managed[],
  at: { readonly writer: Writer; readonly change: Change; readonly time: string },
): readonly Managed[] {
  const { writer, time } = at
  const { changed, removed } = at.change
  const wrote = !isNone(changed)
  let found = false
  const after = entries.map((entry) => {
    const left = difference(entry.fieldsV1, removed)
    if (!isBy(entry, writer)) return withFields(entry, difference(left, changed))
    found = true
    return wrote ? entryOf(writer, union(left, changed), time) : withFields(entry, left)
  })
  if (wrote && !found) after.push(entryOf(writer, inOrder(changed), time))
  return dropEmpty(after)
}

export const withFields = (entry: Managed, fieldsV1: FieldSet): Managed =>
  fieldsV1 === entry.fieldsV1 ? entry : { ...entry, fieldsV1 }
