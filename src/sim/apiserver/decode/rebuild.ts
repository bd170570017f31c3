/** Changed copies of JSON that share whatever did not change; where nothing did, the very same value. */

/** Members for which `change` gives undefined are left out. */
export function rebuildMembers<T extends object>(
  value: T,
  change: (key: string, old: unknown) => unknown,
): T {
  let entries: [string, unknown][] | undefined
  let i = 0
  for (const key of Object.keys(value)) {
    const old: unknown = value[key as keyof T]
    const next = change(key, old)
    if (!entries && (next !== old || next === undefined))
      entries = Object.entries(value).slice(0, i)
    if (entries && next !== undefined) entries.push([key, next])
    i += 1
  }
  // Not by assignment: `__proto__` is a key like any other.
  return entries ? (Object.fromEntries(entries) as T) : value
}

export function rebuildItems(
  items: readonly unknown[],
  change: (old: unknown, i: number) => unknown,
): readonly unknown[] {
  let copy: unknown[] | undefined
  let i = 0
  for (const old of items) {
    const next = change(old, i)
    if (next !== old) copy ??= items.slice(0, i)
    copy?.push(next)
    i += 1
  }
  return copy ?? items
}
