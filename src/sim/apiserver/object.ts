/** Objects as the server keeps them. What is stored is never changed: a write stores a new object. */
import type { OwnerReference } from '../../apis/object.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [field: string]: Json | undefined }

export type ManagedFields = {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly time?: string
  readonly fieldsType: 'FieldsV1'
  readonly fieldsV1: JsonObject
  readonly subresource?: string
}

export type Meta = {
  readonly name: string
  readonly generateName?: string
  /** Absent for what belongs to no namespace. */
  readonly namespace?: string
  readonly uid: string
  /** Absent before it is stored. */
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
  readonly managedFields?: readonly ManagedFields[]
}

/** `S` and `T` are the types of spec and status, where the code at hand reads them. */
export type ApiObject<S = unknown, T = unknown> = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Meta
  readonly spec?: S
  readonly status?: T
  readonly [field: string]: unknown
}

/** Where an object of some resource type is. */
export type Place = { readonly namespace?: string | undefined; readonly name: string }

export const placeOf = ({ metadata: { namespace, name } }: ApiObject): Place => ({
  ...(namespace !== undefined && { namespace }),
  name,
})

/** `default/api`, or `node-1`: also the order of lists. */
export const keyOf = ({ namespace, name }: Place): string =>
  namespace === undefined ? name : `${namespace}/${name}`

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
