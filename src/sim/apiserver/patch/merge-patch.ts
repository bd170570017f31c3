/** RFC 7386: objects are merged, null removes, all else is replaced. */
import { memberOf, setMember } from '../members.ts'
import { isJsonObject, type Json, type JsonObject } from '../object.ts'
import { badRequest } from '../refusal.ts'
import { jsonTypeName } from './go-text.ts'
import { jsonEqual } from './json-equal.ts'

export function mergePatch(object: JsonObject, patch: unknown): JsonObject {
  if (isJsonObject(patch)) return mergeObject(object, patch)
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
  )
}

/** `object` itself if the patch changes nothing. */
export function mergeObject(object: JsonObject, patch: JsonObject): JsonObject {
  let merged: { [field: string]: Json | undefined } | undefined
  for (const [field, value] of Object.entries(patch)) {
    const before = memberOf(object, field)
    const after = value === null ? undefined : mergeValue(before, value)
    if (after === before) continue
    merged ??= { ...object }
    if (after === undefined) delete merged[field]
    else setMember(merged, field, after)
  }
  return merged ?? object
}

const nothing: JsonObject = {}

function mergeValue(before: Json | undefined, value: Json | undefined): Json | undefined {
  if (isJsonObject(value)) return mergeObject(isJsonObject(before) ? before : nothing, value)
  return jsonEqual(before, value) ? before : value
}
