/** What a kind of our own making is: its schema, and objects that it takes or refuses. */
import type { JsonObject } from '../../../src/sim/apiserver/object.ts'

type Update = { readonly from: JsonObject; readonly to: JsonObject }

export type Kind = {
  readonly kind: string
  /** Of `spec`. */
  readonly spec: JsonObject
  readonly root?: JsonObject
  readonly status?: JsonObject
  readonly subresources?: JsonObject
  readonly columns?: readonly JsonObject[]
  readonly selectable?: readonly string[]
  readonly creates: readonly JsonObject[]
  readonly updates?: readonly Update[]
  /** The specs are those of `creates[0]`. */
  readonly statuses?: readonly Update[]
}

export const rules = (...written: readonly (string | JsonObject)[]): JsonObject => ({
  'x-kubernetes-validations': written.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
})
export const string = { type: 'string', maxLength: 64 }
export const integer = { type: 'integer' }
export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})
export const array = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'array',
  maxItems: 10,
  items,
  ...more,
})

export const format = (name: string): JsonObject => ({ type: 'string', format: name })
