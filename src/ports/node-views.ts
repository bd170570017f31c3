import type { NodeView } from '../apis/node-view.ts'

/** A node, and where its agent serves as far as that is known. */
export type NodePlace = {
  readonly name: string
  readonly host: string | undefined
  readonly port: number | undefined
}

/** Who knows what the agents know: they themselves, or those that run in this process. */
export type NodeViews = {
  /** Rejects, in bounded time, in words that name the node and how its agent was asked. */
  readonly read: (node: NodePlace, signal: AbortSignal) => Promise<NodeView>
  readonly close: () => void
}
