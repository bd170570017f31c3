/** Items that lists of type set and map must not have twice. */
import { duplicate, wrong } from '../kinds/validate/field-errors.ts'
import { memberOf } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { FieldError } from '../refusal.ts'
import { child, keyed, propertyOf, type Schema, valuesOf } from './schema.ts'
import { sorted } from './sorted.ts'

export function checkLists(
  value: Json | undefined,
  schema: Schema,
  path = '',
): readonly FieldError[] {
  if (Array.isArray(value)) return checkList(value as readonly Json[], schema, path)
  if (!isJsonObject(value)) return []
  const values = valuesOf(schema)
  return Object.entries(value).flatMap(([name, part]) => {
    if (values) return checkLists(part, values, keyed(path, name))
    const of = propertyOf(schema, name)
    return of ? checkLists(part, of, child(path, name)) : []
  })
}

function checkList(list: readonly Json[], schema: Schema, path: string): readonly FieldError[] {
  const { items } = schema
  return [
    ...checkUnique(list, schema, path),
    ...(items ? list.flatMap((item, i) => checkLists(item, items, keyed(path, i))) : []),
  ]
}

function checkUnique(list: readonly Json[], schema: Schema, path: string): readonly FieldError[] {
  const type = schema['x-kubernetes-list-type']
  if (type === 'set') return repeated(list).map((i) => duplicate(keyed(path, i), list[i]))
  if (type !== 'map') return []
  const odd = list.findIndex((item) => item !== null && !isJsonObject(item))
  if (odd >= 0) {
    const detail = 'must be an object for an array of list-type map'
    return [wrong(keyed(path, odd), list[odd], detail)]
  }
  const keys = list.map((item) => keyOf(item, schema['x-kubernetes-list-map-keys'] ?? []))
  return repeated(keys).map((i) => duplicate(keyed(path, i), keys[i]))
}

/** Printed as Go prints a map: its keys sorted. */
const keyOf = (item: Json, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.toSorted().flatMap((name) => {
      const value = isJsonObject(item) ? memberOf(item, name) : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The second of each kind; further ones are not told. */
function repeated(list: readonly Json[]): readonly number[] {
  const times = new Map<string, number>()
  return list.flatMap((item, i) => {
    const text = JSON.stringify(sorted(item))
    const before = times.get(text) ?? 0
    times.set(text, before + 1)
    return before === 1 ? [i] : []
  })
}
