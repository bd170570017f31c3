/** The live object with an applied configuration laid over it; nothing is removed here. */
import { memberOf, setMember } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { ListShape, Shape } from '../shape.ts'
import { jsonEqual } from './json-equal.ts'
import { itemElement } from './path-element.ts'
import { isLeaf, isVoid, itemsOf, sameItems, shapeOfField } from './typed.ts'

/** `live` itself if the configuration says nothing new. */
export function mergeTyped(live: Json | undefined, config: Json, shape: Shape): Json {
  if (live === undefined) return config
  const leaf = isLeaf(shape, live ?? config) || isLeaf(shape, config ?? live)
  if (leaf || (isVoid(live) && isVoid(config))) return jsonEqual(live, config) ? live : config
  if (isVoid(config)) return live
  if (shape.type === 'list') return mergeItems(itemsOf(live), itemsOf(config), shape)
  return mergeFields(isJsonObject(live) ? live : {}, isJsonObject(config) ? config : {}, shape)
}

function mergeFields(live: JsonObject, config: JsonObject, shape: Shape): JsonObject {
  let merged: { [name: string]: Json | undefined } | undefined
  for (const [name, value] of Object.entries(config)) {
    if (value === undefined) continue
    const before = memberOf(live, name)
    const both = mergeTyped(before, value, shapeOfField(shape, name) ?? { type: 'any' })
    if (both === before) continue
    merged ??= { ...live }
    setMember(merged, name, both)
  }
  return merged ?? live
}

/**
 * Shared items take the order of the configuration; what only the live list has stays before the shared
 * item that it preceded: live `a b c` and configuration `c x a` give `b c x a`.
 */
function mergeItems(
  live: readonly Json[],
  config: readonly Json[],
  list: ListShape,
): readonly Json[] {
  const liveElements = live.map((item) => itemElement(item, list))
  const configElements = config.map((item) => itemElement(item, list))
  const liveBy = uniqueByElement(live, liveElements)
  const configBy = new Map(configElements.map((element, index) => [element, config[index] ?? null]))
  const shared = configElements.filter((element) => liveBy.has(element))
  const merged: Json[] = []
  const done = new Set<string>()
  const take = (element: string): void => {
    done.add(element)
    merged.push(mergeTyped(liveBy.get(element), configBy.get(element) ?? null, list.items))
  }
  let [atLive, atConfig, atShared] = [0, 0, 0]
  while (atLive < live.length || atConfig < config.length) {
    const [mine, theirs] = [liveElements[atLive], configElements[atConfig]]
    if (mine !== undefined && mine === theirs) {
      take(mine)
      atLive += 1
      atConfig += 1
      atShared += 1
    } else if (
      mine !== undefined &&
      theirs !== undefined &&
      configBy.has(mine) &&
      shared[atShared] !== undefined &&
      shared[atShared] !== mine
    ) {
      atLive += 1
    } else if (mine !== undefined && !configBy.has(mine)) {
      merged.push(live[atLive] ?? null)
      atLive += 1
    } else {
      if (mine !== undefined && done.has(mine)) atLive += 1
      if (theirs === undefined) continue
      take(theirs)
      atConfig += 1
      if (shared[atShared] === theirs) atShared += 1
    }
  }
  return sameItems(merged, live) ? live : merged
}

/** An item that occurs twice is not merged: the configuration's takes the place of both. */
function uniqueByElement(
  items: readonly Json[],
  elements: readonly string[],
): ReadonlyMap<string, Json | undefined> {
  const found = new Map<string, Json | undefined>()
  for (const [index, element] of elements.entries()) {
    found.set(element, found.has(element) ? undefined : items[index])
  }
  return found
}
