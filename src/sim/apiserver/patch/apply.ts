/** Server-side apply: the fields that a manager wants, merged into what is there. */
import { timeOf } from '../../timestamps.ts'
import { type ApiObject, isJsonObject, type JsonObject } from '../object.ts'
import { badRequest } from '../refusal.ts'
import type { ObjectShape } from '../shape.ts'
import { checkConfig, groupVersionKind } from './check-config.ts'
import { compareObjects } from './compare.ts'
import { type Conflict, conflictsRefusal } from './conflicts.ts'
import {
  covers,
  difference,
  type FieldSet,
  inOrder,
  intersection,
  isNone,
  none,
  union,
} from './field-set.ts'
import { fieldsIn, removeFields, withNamedFields } from './fields-in.ts'
import { jsonEqual } from './json-equal.ts'
import { lastAppliedFields, syncLastApplied } from './last-applied.ts'
import { afterUpdate, withFields } from './managed-fields.ts'
import {
  dropEmpty,
  entriesOf,
  entryOf,
  isBy,
  type Managed,
  withEntries,
  type Writer,
} from './managers.ts'
import { type Address, dropReset } from './reset-fields.ts'
import { mergeTyped } from './typed-merge.ts'
import { withoutNulls } from './without-nulls.ts'

type Apply = Address & {
  readonly live: ApiObject | undefined
  readonly config: JsonObject
  readonly manager: string
  readonly force: boolean
  readonly apiVersion: string
  readonly kind: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Of kubectl alone the annotation of client-side apply is heeded. */
const kubectl = 'kubectl'

/** The new object with its owners; defaults are to be set afterwards, and are nobody's. */
export function applyConfiguration(apply: Apply): ApiObject {
  const { live, config, manager, apiVersion, kind, shape } = apply
  if (config['apiVersion'] !== apiVersion || config['kind'] !== kind) {
    throw badRequest(
      `invalid object type: ${groupVersionKind(config['apiVersion'], config['kind'])}`,
    )
  }
  const { metadata } = config
  if (isJsonObject(metadata) && (metadata['managedFields'] ?? null) !== null) {
    throw badRequest('metadata.managedFields must be nil')
  }
  checkConfig(config, shape)
  const allowed = manager === kubectl && live !== undefined ? lastAppliedFields(live, shape) : none
  const applied = applyChecked(apply, allowed)
  return manager === kubectl ? syncLastApplied(applied, config) : applied
}

function applyChecked(apply: Apply, allowed: FieldSet): ApiObject {
  const { live, config, manager, apiVersion, shape, subresource, now } = apply
  const base = baseOf(apply)
  const writer: Writer = { manager, operation: 'Apply', apiVersion, subresource }
  const before = entriesBefore(apply)
  const last = before.find((entry) => isBy(entry, writer))
  const said = dropReset(fieldsIn(config, shape), apply)
  const fields = difference(said, unownable)
  const others = before.filter((entry) => entry !== last)
  const wanted = prune(mergeTyped(base, config, shape) as JsonObject, {
    last: last?.fieldsV1 ?? none,
    managed: others.reduce((all, { fieldsV1 }) => union(all, fieldsV1), said),
    shape,
  })
  const left = takeFrom(others, { ...apply, base, wanted, allowed })
  const isSame = jsonEqual(base, wanted)
  const time = isSame ? last?.time : timeOf(now)
  const own = isNone(fields) ? [] : [ownEntry({ last, writer, fields, time })]
  const result =
    isSame && live !== undefined ? live : (withoutNulls(wanted, shape) as unknown as ApiObject)
  return withEntries(result, dropEmpty([...own, ...left]))
}

function baseOf({ live, apiVersion, kind }: Apply): JsonObject {
  if (live === undefined) return { apiVersion, kind, metadata: {} }
  const { managedFields: _, ...metadata } = live.metadata
  return { ...(live as unknown as JsonObject), metadata }
}

/** What is there without a trace of who wrote it belongs to nobody by name. */
function entriesBefore(apply: Apply): readonly Managed[] {
  const { live, apiVersion, shape, subresource, now } = apply
  const entries = entriesOf(live)
  if (entries.length > 0 || live === undefined) return entries
  const compared = compareObjects(undefined, live as unknown as JsonObject, shape)
  const changed = dropReset(compared?.changed ?? none, apply)
  const writer: Writer = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion,
    subresource,
  }
  return afterUpdate([], { writer, change: { changed, removed: none }, time: timeOf(now) })
}

const unownable: FieldSet = {
  'f:apiVersion': none,
  'f:kind': none,
  'f:metadata': {
    '.': none,
    'f:creationTimestamp': none,
    'f:generation': none,
    'f:managedFields': none,
    'f:name': none,
    'f:namespace': none,
    'f:resourceVersion': none,
    'f:selfLink': none,
    'f:uid': none,
  },
}

/** What the manager applied last time, does not apply now, and nobody else owns, goes. */
function prune(
  merged: JsonObject,
  at: { readonly last: FieldSet; readonly managed: FieldSet; readonly shape: ObjectShape },
): JsonObject {
  const { last, managed, shape } = at
  if (covers(managed, last)) return merged
  const without = (set: FieldSet): JsonObject => removeFields(merged, set, shape) as JsonObject
  const named = (set: FieldSet): FieldSet => withNamedFields(set, shape)
  const all = named(fieldsIn(merged, shape))
  const left = named(fieldsIn(without(named(last)), shape))
  const kept = without(difference(all, union(left, named(managed))))
  // Items that the manager did not own stay, even in a list or map that it did.
  const lost = difference(all, named(fieldsIn(kept, shape)))
  return without(intersection(lost, named(last)))
}

/** The others' entries without what this apply changes; a refusal if it may not. */
function takeFrom(
  others: readonly Managed[],
  at: Apply & {
    readonly base: JsonObject
    readonly wanted: JsonObject
    readonly allowed: FieldSet
  },
): readonly Managed[] {
  const { base, wanted, shape, force, allowed } = at
  const compared = compareObjects(base, wanted, shape)
  if (compared === undefined) return others
  const changed = dropReset(compared.changed ?? none, at)
  const removed = dropReset(compared.removed ?? none, at)
  const conflicts: readonly Conflict[] = others
    .map((writer) => ({
      writer,
      fields: difference(intersection(writer.fieldsV1, changed), allowed),
    }))
    .filter(({ fields }) => !isNone(fields))
  if (!force && conflicts.length > 0) throw conflictsRefusal(conflicts)
  return others.map((entry) =>
    withFields(entry, difference(difference(entry.fieldsV1, changed), removed)),
  )
}

/** The old entry itself if nothing about it changed. */
function ownEntry(own: {
  readonly last: Managed | undefined
  readonly writer: Writer
  readonly fields: FieldSet
  readonly time: string | undefined
}): Managed {
  const { last, writer, fields, time } = own
  const same = last !== undefined && jsonEqual(last.fieldsV1, fields)
  if (same && last.time === time && last.apiVersion === writer.apiVersion) return last
  return entryOf(writer, same ? last.fieldsV1 : inOrder(fields), time)
}
