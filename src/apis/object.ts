/** The parts that every Kubernetes object has, as far as we read or write them. */
import type { Millis } from '../core/units.ts'
import { atMost, type Keep, only, short } from './keep.ts'

export type OwnerReference = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export const ownerReferenceKeep: Keep = {
  apiVersion: short,
  kind: short,
  name: short,
  uid: short,
  controller: short,
  blockOwnerDeletion: short,
}

/** Of the one that controls it, which the server allows one of: others are as many as tenants like. */
export const controllerKeep: Keep = {
  ...(ownerReferenceKeep as object),
  [only]: ({ controller }) => controller === true,
  [atMost]: 1,
}

export type ObjectMeta = {
  readonly name?: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
  readonly managedFields?: readonly FieldsEntry[]
}

/** Who last wrote fields of an object, through which subresource, and when. */
export type FieldsEntry = {
  readonly manager?: string
  readonly subresource?: string
  readonly time?: string
  /** As a tree of names: `f:metadata`, `f:annotations`, `f:` and the key. */
  readonly fieldsV1?: FieldsTree
}

export const fieldsEntryKeep: Keep = {
  manager: short,
  subresource: short,
  time: short,
  [atMost]: 16,
}

type FieldsTree = { readonly [name: string]: FieldsTree | undefined }

export type KubeObject = {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: ObjectMeta
  /** Why only its name, namespace, UID, version and phase were read: it has too much of what is needed. */
  readonly unread?: string
}

/** By the wall clock; undefined for what is missing or no time. */
export function timeIn(text: string | undefined): Millis | undefined {
  const wall = Date.parse(text ?? '')
  return Number.isNaN(wall) ? undefined : (wall as Millis)
}

/** When a manager last wrote an object, by the clock of the API server: its own may be wrong. */
export function writtenAt({ metadata }: KubeObject, manager: string): Millis | undefined {
  const times = (metadata.managedFields ?? []).flatMap((entry) =>
    entry.manager === manager ? (timeIn(entry.time) ?? []) : [],
  )
  return times.length === 0 ? undefined : (Math.max(...times) as Millis)
}

/** Where a kind of object lives in the API; `T` is the type of its objects. */
export type Resource<T extends KubeObject> = {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  /** Only a carrier for the type; never set. */
  readonly objects?: T
}

export type Condition = {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
  readonly observedGeneration?: number | undefined
}

export const apiVersionOf = ({ group, version }: Resource<KubeObject>): string =>
  group === '' ? version : `${group}/${version}`

export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T
