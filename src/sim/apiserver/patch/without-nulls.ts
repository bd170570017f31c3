import { setMember } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { Shape } from '../shape.ts'
import { isList, sameItems, shapeOfField } from './typed.ts'

/** A field that is null is as good as absent, unless its shape has a meaning for null. */
export function withoutNulls(value: JsonObject, shape: Shape): JsonObject {
  let kept: { [name: string]: Json | undefined } | undefined
  for (const [name, field] of Object.entries(value)) {
    const below = shapeOfField(shape, name)
    if (below === undefined || below.type === 'any' || field === undefined) continue
    const left =
      field === null ? (below.nullable === true ? null : undefined) : cleaned(field, below)
    if (left === field) continue
    kept ??= { ...value }
    if (left === undefined) delete kept[name]
    else setMember(kept, name, left)
  }
  return kept ?? value
}

function cleaned(value: Json, shape: Shape): Json {
  if (isJsonObject(value)) return withoutNulls(value, shape)
  if (!isList(value) || shape.type !== 'list') return value
  const items = value.map((item) => cleaned(item, shape.items))
  return sameItems(items, value) ? value : items
}
