/** A kind of object that the server serves: names for discovery, the shape, and what is special about it. */
import type { ApiObject, Json, JsonObject, Place } from './object.ts'
import type { FieldError } from './refusal.ts'
import type { ObjectShape } from './shape.ts'

export type ResourceNames = {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  /** All eight, if not said. */
  readonly verbs?: readonly string[]
}

export type Subresource =
  | 'status'
  | 'scale'
  | 'resize'
  | 'binding'
  | 'eviction'
  | 'finalize'
  | 'log'
  | 'token'

export type ResourceType = ResourceNames & {
  readonly shape: ObjectShape
  readonly subresources: readonly Subresource[]
  readonly strategy: Strategy
  /** Columns after the name; `Age` too is listed here. */
  readonly columns: readonly Column[]
  /** The columns have the name among them, not first (events). */
  readonly hasNameColumn?: boolean
  /** `metadata.name` and `metadata.namespace` are always there. */
  readonly selectableFields: Readonly<Record<string, (object: ApiObject) => string>>
  /** `.metadata.generation` counts changes outside metadata and status. */
  readonly hasGeneration: boolean
  /** By subresource: what a POST to it does; the answer is a Status that says Success. */
  readonly actions?: Readonly<Partial<Record<Subresource, Action>>>
  /** Another form of a type that is kept in its own: events.k8s.io of events. */
  readonly storedAs?: {
    readonly of: { readonly group: string; readonly plural: string }
    readonly toStored: (object: ApiObject) => ApiObject
    readonly fromStored: (object: ApiObject) => ApiObject
  }
  /** Its objects are not kept but made when somebody gets or lists them: metrics. */
  readonly computed?: {
    readonly find: (place: Place) => ApiObject | undefined
    readonly list: (namespace?: string) => readonly ApiObject[]
  }
  /** By subresource: what a GET of it answers in plain text, such as a log. Throws a `Refusal`. */
  readonly texts?: Readonly<
    Partial<Record<Subresource, (object: ApiObject, query: URLSearchParams) => string>>
  >
  /** Of CRDs with the subresource `scale`: simple paths, such as `.spec.replicas`, which is where built-in kinds have them. */
  readonly scale?: {
    readonly specReplicasPath: string
    readonly statusReplicasPath: string
    readonly labelSelectorPath?: string
  }
  /** Comes with every answer of a version that should no longer be used. */
  readonly deprecationWarning?: string
  /** Of CRDs: the schema as it was written, for OpenAPI and `kubectl explain`. */
  readonly writtenSchema?: JsonObject
}

export type Column = {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description: string
  /** 0 is always shown, 1 with -o wide. */
  readonly priority: number
  readonly cell: (object: ApiObject, at: { readonly now: number }) => Json
}

/** What the rules of a kind may ask of the rest of the cluster. */
export type Situation = {
  /** Milliseconds since 1970, simulated. */
  readonly now: number
  /** An object as it is stored now. */
  readonly find: (
    of: { readonly group: string; readonly plural: string },
    place: { readonly namespace?: string | undefined; readonly name: string },
  ) => ApiObject | undefined
  readonly all: (
    of: { readonly group: string; readonly plural: string },
    namespace?: string,
  ) => readonly ApiObject[]
}

/**
 * The rules of one kind. An object that comes in is decoded (unknown fields gone, the shape's defaults
 * set) before `prepare`; `validate` sees it after admission. All are pure: they return a new object or
 * the same one.
 */
export type Strategy = {
  /** Defaults that the shape cannot say: of all that comes in, right after decoding, before admission. */
  readonly setDefaults?: (object: ApiObject) => ApiObject
  /** What the server sets itself: pod QoS class, phase, cluster defaults that the shape cannot say. */
  readonly prepareCreate?: (object: ApiObject, at: Situation) => ApiObject
  readonly prepareUpdate?: (next: ApiObject, old: ApiObject, at: UpdateSituation) => ApiObject
  readonly validateCreate?: (object: ApiObject, at: Situation) => readonly FieldError[]
  /** Of what is created all the same. */
  readonly warnOnCreate?: (object: ApiObject) => readonly string[]
  readonly validateUpdate?: (
    next: ApiObject,
    old: ApiObject,
    at: UpdateSituation,
  ) => readonly FieldError[]
  /** What is created may bring its status along (nodes); of others it is dropped. */
  readonly keepsStatus?: boolean
  /** How the name must look; DNS subdomain if not said. */
  readonly validateName?: (name: string) => readonly string[]
  /** Seconds until it may go; 0 or undefined is at once (pods: terminationGracePeriodSeconds). */
  readonly graceSeconds?: (object: ApiObject, asked: number | undefined) => number
  /** A PUT to a name that is not there creates it (leases, events do; most do too: only nodes, pods, ... do not). */
  readonly createOnUpdate?: boolean
}

/** Writes for itself, and throws a `Refusal`. */
type Action = (asked: ActionRequest) => void

export type ActionRequest = {
  /** What it is done to, as it is stored now. */
  readonly object: ApiObject
  readonly body: JsonObject
  readonly dryRun: boolean
  readonly at: Situation
  /** As it is: the rules for clients do not hold for the server. Nothing on a dry run. */
  readonly put: (
    of: { readonly group: string; readonly plural: string },
    object: ApiObject,
  ) => ApiObject
  /** Deletes `object`, as a client would. */
  readonly remove: (by: {
    readonly graceSeconds?: number
    readonly propagation?: 'Foreground' | 'Background' | 'Orphan'
    readonly uid?: string
    readonly resourceVersion?: string
    readonly dryRun: boolean
  }) => void
}

/** `''` is the object itself. */
export type UpdateSituation = Situation & { readonly subresource: '' | Subresource }

export const apiVersionOf = ({ group, version }: { group: string; version: string }): string =>
  group === '' ? version : `${group}/${version}`
