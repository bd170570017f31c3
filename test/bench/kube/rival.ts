/** What the bench asks of a client of Kubernetes. */
export type Rival = {
  /** All pods in one request; what is kept of them. */
  readonly listAll: () => Promise<readonly unknown[]>
  /** All pods in pages of 500, each projected before the next: its size is all that is asked. */
  readonly listPages: () => Promise<{ readonly size: number }>
  readonly get: (at: { readonly name: string; readonly namespace: string }) => Promise<unknown>
  /** Keeps a cache of all pods up to date. */
  readonly inform: (told: {
    readonly synced: () => void
    readonly updated: () => void
  }) => Promise<void>
}

export type RivalName = 'ours' | 'official'

export type ServerPlace = { readonly url: string; readonly caFile: string }

export const pageSize = 500
