/** Lists in a strategic merge patch: merged by a key, or by value, and put in order. */
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { ListShape } from '../shape.ts'
import { internal } from './check-config.ts'
import { goText, goType } from './go-text.ts'
import { unprocessable } from './json-patch.ts'
import { isList, sameItems } from './typed.ts'

type ListAt = {
  readonly list: ListShape
  readonly merge: (original: JsonObject, patch: JsonObject) => JsonObject
}

export function mergeLists(
  live: readonly Json[],
  patch: readonly Json[],
  at: ListAt,
): readonly Json[] {
  if ([...live, ...patch].some((item) => isList(item))) throw unprocessable()
  if (live.length === 0 && patch.length === 0) return live
  if (!isJsonObject(patch[0] ?? live[0])) {
    return orderBy([...new Set([...live, ...patch])], { wanted: patch, live })
  }
  const key = at.list.patchKey
  if (key === undefined)
    throw internal(`cannot merge lists without merge key for ${typeNameOf(at.list)}`)
  const { left, items, replaces } = direct(live, patch, key)
  if (replaces) return items
  const merged = orderBy(mergeMaps(left, items, { ...at, key }), { wanted: items, live: left, key })
  return sameItems(merged, live) ? live : merged
}

const typeNameOf = ({ items }: ListShape): string =>
  (items.type === 'object' ? items.typeName?.split('.').at(-1) : undefined) ?? ''

/** What the items that carry `$patch` do to the list, and the items that do not. */
function direct(
  live: readonly Json[],
  patch: readonly Json[],
  key: string,
): { readonly left: readonly Json[]; readonly items: readonly Json[]; readonly replaces: boolean } {
  let left = live
  let replaces = false
  const items: Json[] = []
  for (const item of patch) {
    const directive = asMap(item)['$patch']
    if (directive === undefined) items.push(item)
    else if (directive === 'delete') {
      const doomed = keyIn(item, key)
      left = left.filter((one) => asMap(one)[key] !== doomed)
    } else if (directive === 'replace') replaces = true
    else if (directive === 'merge') {
      throw internal('merging lists cannot yet be specified in the patch')
    } else throw internal(`unknown patch type: ${goText(directive)} in map: ${goText(item)}`)
  }
  return { left, items, replaces }
}

function mergeMaps(
  live: readonly Json[],
  patch: readonly Json[],
  { merge, key }: ListAt & { readonly key: string },
): readonly Json[] {
  const merged = [...live]
  const places = new Map<Json | undefined, number>()
  for (const [index, one] of live.entries()) {
    const id = asMap(one)[key]
    if (!places.has(id)) places.set(id, index)
  }
  for (const item of patch) {
    const wanted = keyIn(item, key)
    const index = places.get(wanted)
    if (index === undefined) places.set(wanted, merged.push(item) - 1)
    else merged[index] = merge(asMap(merged[index]), asMap(item))
  }
  return merged
}

function asMap(item: Json | undefined): JsonObject {
  if (isJsonObject(item)) return item
  throw internal(`expected a map[string]interface {}, but received a ${goType(item)}`)
}

function keyIn(item: Json, key: string): Json {
  const value = asMap(item)[key]
  if (value !== undefined) return value
  throw internal(`map: ${goText(item)} does not contain declared merge key: ${key}`)
}

/**
 * What is wanted comes in its order; each of the others stays before what it preceded in the live list:
 * live `a b c`, wanted `c a` give `b c a`.
 */
export function orderBy(
  items: readonly Json[],
  at: {
    readonly wanted: readonly Json[]
    readonly live: readonly Json[]
    /** Its items must all be wanted, in this order. */
    readonly patch?: readonly Json[]
    readonly key?: string | undefined
  },
): readonly Json[] {
  const { key } = at
  const idOf = (item: Json): Json => (key === undefined ? item : keyIn(item, key))
  const [wanted, live] = [at.wanted.map(idOf), at.live.map(idOf)]
  checkOrder(at, wanted, idOf)
  const [wantedAt, liveAt] = [placesOf(wanted), placesOf(live)]
  const rank = (item: Json): number => wantedAt.get(idOf(item)) ?? -1
  const place = (item: Json | undefined): number =>
    item === undefined ? -1 : (liveAt.get(idOf(item)) ?? -1)
  const mine = items.filter((item) => rank(item) >= 0).toSorted((a, b) => rank(a) - rank(b))
  const others = items.filter((item) => rank(item) < 0)
  const ordered: Json[] = []
  let next = 0
  for (const item of mine) {
    while (precedes(place(others[next]), place(item))) {
      ordered.push(...others.slice(next, next + 1))
      next += 1
    }
    ordered.push(item)
  }
  return [...ordered, ...others.slice(next)]
}

/** Of each, the first. */
function placesOf(ids: readonly Json[]): ReadonlyMap<Json, number> {
  const places = new Map<Json, number>()
  for (const [index, id] of ids.entries()) if (!places.has(id)) places.set(id, index)
  return places
}

const precedes = (place: number, other: number): boolean => place >= 0 && place < other

function checkOrder(
  { wanted: listed, patch }: { readonly wanted: readonly Json[]; readonly patch?: readonly Json[] },
  wanted: readonly Json[],
  idOf: (item: Json) => Json,
): void {
  const items = patch?.filter((item) => !isJsonObject(item) || item['$patch'] === undefined) ?? []
  let place = -1
  for (const item of items) {
    place = wanted.indexOf(idOf(item), place + 1)
    if (place >= 0) continue
    throw internal(
      `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(listed)}\n`,
    )
  }
}
