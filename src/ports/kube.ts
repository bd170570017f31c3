import type { Keep } from '../apis/keep.ts'
import type { KubeObject, Resource } from '../apis/object.ts'

/**
 * What one process asks of the Kubernetes API. Errors are `ApiError` and `ConnectionFailed`, which name
 * the request, or the signal's reason if the caller aborted it.
 */
export type Kube = {
  readonly get: <T extends KubeObject>(
    resource: Resource<T>,
    at: ObjectPlace,
    options?: RequestOptions,
  ) => Promise<T>
  /** One page; `next` is the token of the following page. */
  readonly list: <T extends KubeObject>(
    resource: Resource<T>,
    query?: ListQuery,
    options?: RequestOptions,
  ) => Promise<Page<T>>
  /**
   * Ends when the server ends the watch or the caller aborts it; throws on a broken connection or an
   * ERROR event.
   */
  readonly watch: <T extends KubeObject>(
    resource: Resource<T>,
    query: WatchQuery,
    options: { readonly signal: AbortSignal; readonly keep?: Keep | undefined },
  ) => AsyncIterable<WatchEvent<T>>
  readonly create: <T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ) => Promise<T>
  readonly update: <T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ) => Promise<T>
  readonly patch: <T extends KubeObject>(
    resource: Resource<T>,
    at: ObjectPlace,
    patch: Patch,
    options?: WriteOptions,
  ) => Promise<T>
  readonly remove: (
    resource: Resource<KubeObject>,
    at: ObjectPlace,
    options?: RemoveOptions,
  ) => Promise<void>
  /** A plain GET for discovery, /version and the like. */
  readonly raw: (path: string, options?: RequestOptions) => Promise<unknown>
}

export type ObjectPlace = {
  readonly namespace?: string
  readonly name: string
  readonly subresource?: 'status' | 'resize' | 'scale' | 'binding' | 'eviction'
}

/** Requests of one purpose share a budget, so that events never starve resizes. */
export type Purpose = 'read' | 'write' | 'status' | 'event' | 'lease'

export type RequestOptions = {
  readonly signal?: AbortSignal
  readonly purpose?: Purpose
  /** What is read of each object that comes back; without it all, as far as that is bounded. */
  readonly keep?: Keep | undefined
}
export type WriteOptions = RequestOptions & {
  readonly subresource?: 'status' | 'resize' | 'scale' | 'binding' | 'eviction'
  readonly fieldManager?: string
  readonly dryRun?: boolean
}
export type RemoveOptions = RequestOptions & {
  readonly uid?: string
  readonly resourceVersion?: string
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan'
  readonly gracePeriodSeconds?: number
  readonly dryRun?: boolean
}

export type Selection = {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}
export type ListQuery = Selection & {
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}
export type WatchQuery = Selection & {
  readonly resourceVersion?: string
  readonly timeoutSeconds?: number
  readonly allowBookmarks?: boolean
}

export type Page<T> = {
  readonly items: readonly T[]
  readonly resourceVersion: string
  readonly next: string | undefined
  /** What came over the wire, where that is known. */
  readonly bytes?: number
}

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }

export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown }
  | {
      readonly type: 'apply'
      readonly body: unknown
      readonly fieldManager: string
      readonly force?: boolean
    }

export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/** The server's answer when it says no (`Status` of kind Failure). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status code. */
  readonly code: number
  /** Such as NotFound, AlreadyExists, Conflict, Invalid, Expired, Forbidden, TooManyRequests. */
  readonly reason: string
  /** The server's own words, without the name of our request before them. */
  readonly said: string
  readonly causes: readonly {
    readonly reason: string
    readonly message: string
    readonly field?: string
  }[]
  readonly retryAfterSeconds: number | undefined

  constructor(
    request: string,
    at: {
      code: number
      reason: string
      said: string
      causes?: ApiError['causes']
      retryAfterSeconds?: number | undefined
      /** What we know more than the server: what to do about it. */
      hint?: string | undefined
    },
  ) {
    const hint = at.hint === undefined ? '' : `; ${at.hint}`
    super(`${request}: ${at.code} ${at.reason}: ${at.said}${hint}`)
    this.code = at.code
    this.reason = at.reason
    this.said = at.said
    this.causes = at.causes ?? []
    this.retryAfterSeconds = at.retryAfterSeconds
  }
}

export const isReason = (error: unknown, reason: string): error is ApiError =>
  error instanceof ApiError && error.reason === reason

/** The server's words when a whole type (a CRD, a subresource) is missing, not one object. */
export const missingTypeWords = 'the server could not find the requested resource'

export const isMissingType = (error: unknown): error is ApiError =>
  isReason(error, 'NotFound') && error.said === missingTypeWords

/** No answer came; the message says why and what to do. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed'
  /** The server may have acted on the request. */
  readonly sent: boolean
  /** Another try may succeed, without anybody doing something about it. */
  readonly passing: boolean

  constructor(message: string, at: { sent: boolean; passing: boolean; cause?: unknown }) {
    super(message, { cause: at.cause })
    this.sent = at.sent
    this.passing = at.passing
  }
}
