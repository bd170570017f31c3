/** Which part of the old object a part of the new one is compared with. */
import { isDeepStrictEqual } from 'node:util'

import { memberOf } from '../members.ts'
import { isJsonObject, type Json } from '../object.ts'
import type { Schema } from './schema.ts'

/** Undefined where there is none, or none that can be told. */
export type Old = { readonly value: Json } | undefined

type Step = { readonly key: string } | { readonly index: number; readonly item: Json }

/** One step down; the items of lists correlate only by the keys of `x-kubernetes-list-type: map`. */
export function matchingOld(old: Old, schema: Schema, step: Step): Old {
  if (!old) return undefined
  if ('key' in step) {
    const value = isJsonObject(old.value) ? memberOf(old.value, step.key) : undefined
    return value === undefined ? undefined : { value }
  }
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old.value)) return undefined
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const wanted = keysOf(step.item, keys)
  const found = (old.value as readonly Json[]).find((item) =>
    isDeepStrictEqual(keysOf(item, keys), wanted),
  )
  return found === undefined ? undefined : { value: found }
}

const keysOf = (item: Json, keys: readonly string[]): readonly (Json | undefined)[] =>
  keys.map((key) => (isJsonObject(item) ? memberOf(item, key) : undefined))
