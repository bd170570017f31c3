/** Items of a list that is a set or a map, before and after: by what identifies them, in any order. */
import { isJsonObject, type Json } from '../object.ts'
import type { ListShape } from '../shape.ts'
import { type Comparison, type Gathered, note } from './comparison.ts'
import { none } from './field-set.ts'
import { jsonEqual } from './json-equal.ts'
import { itemElement, keyOfItem } from './path-element.ts'
import { itemsOf } from './typed.ts'

type ItemsAt = {
  readonly list: ListShape
  readonly gathered: Gathered
  readonly compare: (old: Json | undefined, next: Json | undefined) => Comparison | undefined
}

export function compareItems(old: Json | undefined, next: Json | undefined, at: ItemsAt): void {
  const [before, after] = [itemsOf(old), itemsOf(next)]
  if (isInPlace(before, after, at.list)) compareInPlace(before, after, at)
  else compareByElement(before, after, at)
}

/** Most writes leave the items where they are: then only those that changed need to be named. */
function isInPlace(before: readonly Json[], after: readonly Json[], list: ListShape): boolean {
  if (before.length !== after.length || list.merge !== 'map') return false
  for (let index = 0; index < after.length; index += 1) {
    if (before[index] === after[index]) continue
    if (!sameKeys(before[index], after[index], list)) return false
    for (let other = 0; other < after.length; other += 1) {
      if (other !== index && sameKeys(after[other], after[index], list)) return false
    }
  }
  return true
}

function compareInPlace(before: readonly Json[], after: readonly Json[], at: ItemsAt): void {
  for (const [index, item] of after.entries()) {
    const found = at.compare(before[index], item)
    if (found) note(at.gathered, itemElement(item, at.list), found)
  }
}

function sameKeys(a: Json | undefined, b: Json | undefined, list: ListShape): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  for (const key of list.keys ?? []) {
    if (keyOfItem(a, list, key) !== keyOfItem(b, list, key)) return false
  }
  return true
}

function compareByElement(before: readonly Json[], after: readonly Json[], at: ItemsAt): void {
  const [was, is] = [byElement(before, at.list), byElement(after, at.list)]
  for (const element of new Set([...was.keys(), ...is.keys()])) {
    const [old = [], next = []] = [was.get(element), is.get(element)]
    if (old.length < 2 && next.length < 2) note(at.gathered, element, at.compare(old[0], next[0]))
    else noteDuplicates(element, { old, next, at })
  }
}

/** Items that occur twice have one owner, as a whole. */
function noteDuplicates(
  element: string,
  items: { readonly old: readonly Json[]; readonly next: readonly Json[]; readonly at: ItemsAt },
): void {
  const { old, next, at } = items
  const [wasTwice, isTwice] = [old.length >= 2, next.length >= 2]
  if (wasTwice && isTwice && jsonEqual(old, next)) return
  const single =
    wasTwice === isTwice
      ? undefined
      : wasTwice
        ? at.compare(undefined, next[0])
        : at.compare(old[0], undefined)
  note(at.gathered, element, {
    changed: isTwice ? none : single?.changed,
    removed: isTwice ? single?.removed : none,
  })
}

function byElement(items: readonly Json[], list: ListShape): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>()
  for (const item of items) {
    const element = itemElement(item, list)
    const same = found.get(element)
    if (same === undefined) found.set(element, [item])
    else same.push(item)
  }
  return found
}
