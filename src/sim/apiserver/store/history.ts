/**
 * What happened to the objects of one resource, so that a watch can begin in the past and a list can
 * be of the past. It is bounded: who asks for more is told that it is too old.
 */
import type { Change } from '../api.ts'
import { type ApiObject, keyOf, placeOf } from '../object.ts'

/** At 5,000 changes a second about three seconds, in some 30 MB; the real server has about as many. */
const kept = 16_384

export type History = {
  readonly add: (change: Change) => void
  /** From which version on it is complete. */
  readonly oldest: () => number
  /** After that version, oldest first; undefined if some of it is forgotten. */
  readonly since: (version: number) => readonly Change[] | undefined
}

export function createHistory(version: number, limit = kept): History {
  let changes: Change[] = []
  let oldest = version
  return {
    add: (change) => {
      changes.push(change)
      // Forgotten by halves: to move the rest up costs nothing per change.
      if (changes.length < 2 * limit) return
      oldest = changes[limit - 1]?.version ?? oldest
      changes = changes.slice(limit)
    },
    oldest: () => oldest,
    since: (after) =>
      after < oldest ? undefined : changes.slice(firstAfter(changes, after), changes.length),
  }
}

function firstAfter(changes: readonly Change[], version: number): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((changes[middle]?.version ?? 0) > version) high = middle
    else low = middle + 1
  }
  return low
}

/** A sorted list as it was before these changes, which are oldest first. */
export function undo(list: readonly ApiObject[], changes: readonly Change[]): readonly ApiObject[] {
  if (changes.length === 0) return list
  const before = new Map<string, ApiObject | undefined>()
  for (const { object, old } of changes) {
    const key = keyOf(placeOf(object))
    if (!before.has(key)) before.set(key, old)
  }
  const result = list.filter((object) => !before.has(keyOf(placeOf(object))))
  for (const object of before.values()) if (object !== undefined) result.push(object)
  return result.toSorted((a, b) => compare(keyOf(placeOf(a)), keyOf(placeOf(b))))
}

/** Of UTF-16 units; names are ASCII, where that is the order of bytes. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
