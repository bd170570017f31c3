/**
 * From `kubectl apply` to `kubectl apply --server-side`: what the annotation of the former still says
 * truly may be taken over by the latter, and the annotation is kept up to date for the way back.
 */
import { type ApiObject, isJsonObject, type Json, type JsonObject } from '../object.ts'
import type { ObjectShape } from '../shape.ts'
import { compareValues } from './compare.ts'
import { difference, type FieldSet, none } from './field-set.ts'
import { fieldsIn } from './fields-in.ts'
import { isList } from './typed.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** The fields that were applied from the client and are still as they were. */
export function lastAppliedFields(live: ApiObject, shape: ObjectShape): FieldSet {
  const applied = parse(live.metadata.annotations?.[annotation])
  if (applied === undefined || applied['apiVersion'] !== live.apiVersion) return none
  const compared = compareValues(applied, live as unknown as JsonObject, shape)
  const unchanged = difference(fieldsIn(applied, shape), compared?.changed ?? none)
  return difference(unchanged, compared?.removed ?? none)
}

function parse(text: string | undefined): JsonObject | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // a broken annotation allows nothing
  }
}

export function syncLastApplied(object: ApiObject, config: JsonObject): ApiObject {
  const { annotations } = object.metadata
  if ((annotations?.[annotation] ?? '') === '') return object
  const text = `${JSON.stringify(sortKeys(withoutAnnotation(config)))}\n`
  if (annotations?.[annotation] === text) return object
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...annotations, [annotation]: text } },
  }
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const { metadata } = config
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return config
  const { [annotation]: _, ...annotations } = metadata['annotations']
  return { ...config, metadata: { ...metadata, annotations } }
}

/** Go writes the keys of maps in order. */
function sortKeys(value: Json | undefined): Json | undefined {
  if (isList(value)) return value.map((item) => sortKeys(item) ?? null)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]))
}
