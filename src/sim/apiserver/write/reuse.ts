import { memberOf, setMember } from '../members.ts'
import { isJsonObject } from '../object.ts'

/**
 * The same value, made of the parts of `old` wherever they are equal: `old` itself if nothing changed.
 * Fields that are undefined count as absent.
 */
export function reuse<T>(next: T, old: unknown): T {
  if (next === old) return next
  if (Array.isArray(next)) return Array.isArray(old) ? (reuseList(next, old) as T) : next
  if (isJsonObject(next) && isJsonObject(old)) return reuseFields(next, old) as T
  return next
}

function reuseList(next: readonly unknown[], old: readonly unknown[]): readonly unknown[] {
  let same = next.length === old.length
  const items = next.map((item, index) => {
    const kept = reuse(item, old[index])
    if (kept !== old[index]) same = false
    return kept
  })
  return same ? old : items
}

type Fields = { readonly [field: string]: unknown }

function reuseFields(next: Fields, old: Fields): Fields {
  const fields: Record<string, unknown> = {}
  let same = true
  let count = 0
  for (const key in next) {
    const before = memberOf(old, key)
    const value = reuse(next[key], before)
    if (value === undefined) continue
    setMember(fields, key, value)
    count += 1
    if (value !== before) same = false
  }
  if (!same) return fields
  for (const key in old) if (old[key] !== undefined) count -= 1
  return count === 0 ? old : fields
}
