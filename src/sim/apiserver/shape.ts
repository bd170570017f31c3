/**
 * What a value must look like: one form for the built-in kinds and for those of CRDs. Decoding,
 * pruning, defaults, strategic merge, server-side apply and OpenAPI all read it.
 */
import type { Json } from './object.ts'

export type Shape =
  | ObjectShape
  | MapShape
  | ListShape
  | ScalarShape
  /** Anything at all, kept as it is (RawExtension, fieldsV1, x-kubernetes-preserve-unknown-fields). */
  | { readonly type: 'any' }

export type ObjectShape = {
  readonly type: 'object'
  /** Of built-in kinds: `io.k8s.api.core.v1.Container`; also the name in OpenAPI. */
  readonly typeName?: string
  readonly fields: ReadonlyMap<string, Field>
  /** Unknown fields stay, instead of being pruned (CRDs only). */
  readonly keepsUnknown?: boolean
  /** For server-side apply: one owner for the whole (`x-kubernetes-map-type: atomic`). */
  readonly atomic?: boolean
  /** Strategic merge honours `$retainKeys` here (a Deployment's `strategy`, the items of `volumes`). */
  readonly retainKeys?: boolean
  readonly nullable?: boolean
}

export type Field = {
  readonly shape: Shape
  readonly required?: boolean
  readonly default?: Json
  readonly description?: string
  /** Protobuf field number; only built-in kinds have one. */
  readonly number?: number
  /** Go embeds a struct here, which is a message of its own in protobuf but not in JSON. */
  readonly embedded?: { readonly type: string; readonly number: number }
  /** `''`, 0, false and the empty list and map are as absent: Go does not write them. */
  readonly omitsZero?: boolean
}

/** Any keys, values of one shape. */
export type MapShape = {
  readonly type: 'map'
  readonly values: Shape
  readonly atomic?: boolean
  readonly nullable?: boolean
}

export type ListShape = {
  readonly type: 'list'
  readonly items: Shape
  /** How server-side apply merges it: as one value, as a set of scalars, or by `keys`. */
  readonly merge: 'atomic' | 'set' | 'map'
  /** Of `merge: 'map'`: the fields that identify an item. */
  readonly keys?: readonly string[]
  /** Strategic merge patch: `merge` by `patchKey` (by value if the items are scalars), else replaced. */
  readonly patchStrategy?: 'merge' | 'replace'
  readonly patchKey?: string
  readonly nullable?: boolean
}

export type ScalarShape = {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string'
  /** Such as int32, int64, byte, date-time, micro-time, quantity (a string or number that is a quantity). */
  readonly format?: string
  readonly enum?: readonly Json[]
  readonly nullable?: boolean
}
