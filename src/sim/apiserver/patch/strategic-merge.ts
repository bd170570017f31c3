/**
 * Strategic merge patch: like a merge patch, but lists whose shape says so are merged by a key, and
 * directives (`$patch`, `$retainKeys`, `$setElementOrder/x`, `$deleteFromPrimitiveList/x`) do the rest.
 */
import { memberOf, setMember } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import { badRequest } from '../refusal.ts'
import type { ListShape, ObjectShape, Shape } from '../shape.ts'
import { internal } from './check-config.ts'
import { goText, goType, jsonTypeName } from './go-text.ts'
import { jsonEqual } from './json-equal.ts'
import { mergeObject as mergePlain } from './merge-patch.ts'
import { mergeLists, orderBy } from './strategic-lists.ts'
import { isList, shapeOfField } from './typed.ts'

const [order, deletion] = ['$setElementOrder', '$deleteFromPrimitiveList']

export function strategicMerge(object: JsonObject, patch: unknown, shape: ObjectShape): JsonObject {
  if (isJsonObject(patch)) return mergeObject(object, patch, shape)
  throw badRequest(
    `json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
  )
}

function mergeObject(original: JsonObject, patch: JsonObject, shape: Shape): JsonObject {
  const { $patch: directive, ...rest } = patch
  if (directive === 'replace') return rest
  if (directive === 'delete') return {}
  if (directive !== undefined) {
    throw internal(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`)
  }
  if (shape.type === 'any') return mergePlain(original, patch)
  const { $retainKeys: keys, ...fields } = rest
  const base = keys === undefined ? original : retain(original, fields, keys)
  const ordered = orderLists(base, fields, shape)
  return mergeFields(ordered.merged, ordered.left, shape)
}

function retain(original: JsonObject, patch: JsonObject, keys: Json): JsonObject {
  const listed = new Set(isList(keys) ? keys : [])
  const isListed = ([field, value]: readonly [string, Json | undefined]): boolean =>
    value === null || field.startsWith(deletion) || field.startsWith(order) || listed.has(field)
  if (!isList(keys) || !Object.entries(patch).every(isListed)) {
    throw badRequest('invalid patch format of retainKeys')
  }
  return Object.fromEntries(Object.entries(original).filter(([field]) => listed.has(field)))
}

/** Lists with an order given are merged first, and taken out of the patch. */
function orderLists(
  original: JsonObject,
  patch: JsonObject,
  shape: Shape,
): { readonly merged: JsonObject; readonly left: JsonObject } {
  const orders = Object.keys(patch).filter((key) => key.startsWith(order))
  if (orders.length === 0) return { merged: original, left: patch }
  const merged: { [field: string]: Json | undefined } = { ...original }
  const left: { [field: string]: Json | undefined } = { ...patch }
  for (const key of orders) {
    const wanted = asItems(patch[key])
    const field = fieldIn(key, 'invalid patch format of setElementOrder list')
    const [before, change] = [memberOf(merged, field), memberOf(left, field)]
    delete left[key]
    delete left[field]
    const list = listIn(shape, field)
    if (before === undefined && change === undefined) continue
    const items = change === undefined ? [] : asItems(change)
    const live = before === undefined ? [] : asItems(before)
    const both =
      before === undefined ? asItems(withoutDirectives(items)) : mergeItems(live, items, list)
    setMember(merged, field, orderBy(both, { wanted, live, patch: items, key: list?.patchKey }))
  }
  return { merged, left }
}

function mergeFields(original: JsonObject, patch: JsonObject, shape: Shape): JsonObject {
  let merged: { [field: string]: Json | undefined } | undefined
  for (const [key, value] of Object.entries(patch)) {
    const isDeletion = key.startsWith(deletion)
    const field = isDeletion ? fieldIn(key, 'invalid patch format of primitive list') : key
    const before = memberOf(merged ?? original, field)
    const after = isDeletion
      ? deleteItems(before, value)
      : mergeField(before, value ?? null, shapeOfField(shape, field) ?? { type: 'any' })
    if (after === before) continue
    merged ??= { ...original }
    if (after === undefined) delete merged[field]
    else setMember(merged, field, after)
  }
  return merged ?? original
}

function mergeField(before: Json | undefined, patch: Json, shape: Shape): Json | undefined {
  if (patch === null) return undefined
  if (isJsonObject(before) && isJsonObject(patch)) return mergeObject(before, patch, shape)
  if (isList(before) && isList(patch)) {
    return mergeItems(before, patch, shape.type === 'list' ? shape : undefined)
  }
  if (typeof patch === 'object') return withoutDirectives(withoutNulls(patch))
  return jsonEqual(before, patch) ? before : patch
}

const mergeItems = (
  live: readonly Json[],
  patch: readonly Json[],
  list: ListShape | undefined,
): readonly Json[] => {
  if (list?.patchStrategy !== 'merge') return jsonEqual(live, patch) ? live : patch
  return mergeLists(live, patch, { list, merge: (a, b) => mergeObject(a, b, list.items) })
}

function deleteItems(before: Json | undefined, values: Json | undefined): Json | undefined {
  if (!isList(before) || !isList(values)) return before
  const doomed = new Set(values)
  return before.filter((item) => !doomed.has(item))
}

/** `$setElementOrder/volumes` is about `volumes`. */
function fieldIn(directive: string, complaint: string): string {
  const slash = directive.indexOf('/')
  const prefix = slash < 0 ? '' : directive.slice(0, slash)
  if (prefix !== order && prefix !== deletion) throw badRequest(complaint)
  return directive.slice(slash + 1)
}

function listIn(shape: Shape, field: string): ListShape | undefined {
  const below = shapeOfField(shape, field)
  return below?.type === 'list' ? below : undefined
}

function asItems(value: Json | undefined): readonly Json[] {
  if (isList(value)) return value
  throw internal(`expected a []interface {}, but received a ${goType(value)}`)
}

/** Of what is new: a null in it removes nothing. */
function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map((item) => withoutNulls(item))
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([, field]) => field !== null && field !== undefined)
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field ?? null)]))
}

/** Of what is new: an object that only directs is not there. */
function withoutDirectives(value: Json | undefined): Json | undefined {
  if (isList(value)) {
    return value.flatMap((item) => {
      const kept = withoutDirectives(item)
      return kept === undefined ? [] : [kept]
    })
  }
  if (!isJsonObject(value)) return value
  if (Object.hasOwn(value, '$patch')) return undefined
  const kept = Object.entries(value).map(
    ([name, field]) => [name, withoutDirectives(field)] as const,
  )
  return Object.fromEntries(kept.filter(([, field]) => field !== undefined))
}
