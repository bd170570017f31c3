/** How a value is owned and merged: as one (a leaf), by its fields, or by its items. */
import { isJsonObject, type Json } from '../object.ts'
import type { Shape } from '../shape.ts'

const any: Shape = { type: 'any' }

/** What has no declared shape is judged by its value: objects by their fields, all else as one. */
export function isLeaf(shape: Shape, value: Json | undefined): boolean {
  if (shape.type === 'object' || shape.type === 'map') return shape.atomic === true
  if (shape.type === 'list') return shape.merge === 'atomic'
  return shape.type !== 'any' || !isJsonObject(value)
}

/** Undefined for what the shape does not know. */
export function shapeOfField(shape: Shape, name: string): Shape | undefined {
  if (shape.type === 'object') {
    return shape.fields.get(name)?.shape ?? (shape.keepsUnknown === true ? any : undefined)
  }
  return shape.type === 'map' ? shape.values : any
}

/** A field that the shape names, and not a key of a map. */
export const isNamed = (shape: Shape, name: string): boolean =>
  shape.type === 'object' && shape.fields.has(name)

/** Array.isArray does not narrow to readonly lists. */
export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** Absent, null or empty: such values are owned as one, whatever their shape. */
export function isVoid(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true
  if (typeof value !== 'object') return false
  if (isList(value)) return value.length === 0
  for (const _ in value) return false
  return true
}

export const itemsOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : [])

/** By identity. */
export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index])
