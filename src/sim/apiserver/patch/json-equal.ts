import { memberOf } from '../members.ts'
import { isJsonObject, type Json } from '../object.ts'
import { isList } from './typed.ts'

/** Fields that are undefined count as absent. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (isList(a)) return isList(b) && equalLists(a, b)
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  for (const key in a) if (!jsonEqual(a[key], memberOf(b, key))) return false
  for (const key in b) if (b[key] !== undefined && memberOf(a, key) === undefined) return false
  return true
}

const equalLists = (a: readonly Json[], b: readonly Json[]): boolean =>
  a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]))
