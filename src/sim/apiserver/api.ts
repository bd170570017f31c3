/**
 * The API without a wire: what the handler calls for every request, and what the simulated kubelets,
 * scheduler and controllers call directly. It is synchronous, and its rules are those of HTTP requests;
 * it throws `Refusal`.
 */
import type { ApiObject, JsonObject, Place } from './object.ts'
import type { ResourceType, Subresource } from './resource-type.ts'

export type Change = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly resource: ResourceType
  /** After the change; of what was deleted its last state, with the deletion's version. */
  readonly object: ApiObject
  /** Before the change. */
  readonly old: ApiObject | undefined
  /** The resourceVersion as a number. */
  readonly version: number
}

export type WriteBy = {
  /** In managedFields; `kubelet`, `kube-scheduler`, ... */
  readonly manager: string
  readonly subresource?: Subresource
  readonly dryRun?: boolean
}

export type DeleteBy = {
  readonly graceSeconds?: number | undefined
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan' | undefined
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly dryRun?: boolean | undefined
}

type ActBy = { readonly subresource: Subresource; readonly body: JsonObject }

/** Enough to find a resource type: the group and the plural are unique. */
export type ResourceRef = { readonly group: string; readonly plural: string }

export type Api = {
  readonly find: (of: ResourceRef, place: Place) => ApiObject | undefined
  /** Sorted by key. */
  readonly list: (of: ResourceRef, namespace?: string) => readonly ApiObject[]
  /** Metadata that the server sets may be missing. */
  readonly create: (of: ResourceRef, object: unknown, by: WriteBy) => ApiObject
  /**
   * With `metadata.resourceVersion` it must be current, or it is a conflict; without, the last write wins.
   * Nothing is stored, and no version used up, when nothing changes.
   */
  readonly update: (of: ResourceRef, object: ApiObject, by: WriteBy) => ApiObject
  /** What a POST to a subresource does, such as `binding`. */
  readonly act?: (of: ResourceRef, place: Place, by: ActBy) => void
  /** The object as it is marked or was last; pods may live on until their kubelet confirms with grace 0. */
  readonly remove: (of: ResourceRef, place: Place, by?: DeleteBy) => ApiObject
  /**
   * Every change of a resource from now on, in order. The listener is called after the write that it
   * is about is over (never inside it), at the same simulated instant.
   */
  readonly subscribe: (of: ResourceRef, listener: (change: Change) => void) => () => void
  /** The same for every resource type, also for those that come later. */
  readonly subscribeAll: (listener: (change: Change) => void) => () => void
  /** What is served now; CRDs come and go. */
  readonly types: () => readonly ResourceType[]
  /** Current resourceVersion. */
  readonly version: () => number
}
