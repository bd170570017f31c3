/**
 * Equality as the API server means it: lists and objects that are empty are as good as absent, and
 * amounts are compared by what they are worth.
 */
import { parseQuantity } from '../../../../core/quantity.ts'
import { isJsonObject } from '../../object.ts'

const ofAmounts = new Set(['requests', 'limits', 'overhead'])

export function isSame(a: unknown, b: unknown, field = ''): boolean {
  if (a === b) return true
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (ofAmounts.has(field)) return isSameAmounts(a, b)
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
    isSame(a[key], b[key], key),
  )
}

/** The fields in which they differ. */
export const differencesOf = (a: object, b: object): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (key) => !isSame(a[key as keyof object], b[key as keyof object], key),
  )

function isSameAmounts(a: unknown, b: unknown): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && nanosOf(a[name]) === nanosOf(b[name]))
  )
}

const nanosOf = (amount: unknown): bigint => parseQuantity(String(amount)).nanos

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value)
    ? value.length === 0
    : isJsonObject(value) && Object.values(value).every((field) => field === undefined))
