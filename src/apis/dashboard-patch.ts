/**
 * The `patch` events of the dashboard's live views. What is left out stands.
 *
 *   one value          at, totals, tile, row, bid, ...       replaces the old
 *   short list         suffering, troubles                   replaces the old, whole
 *   list by key        nodes (name), pods (key)              only what changed or is new; `gone` names what went
 *   newest first       sufferedLately, events, decisions     only what is new, newest first
 *   history            columns of equal length               only the samples since the last event
 *
 * A band of `NodeHistory` that is not in a patch was not there in its samples.
 */
import type { ClusterView, EventFeed, NodeDetail, PodDetail } from './dashboard.ts'

export type ClusterPatch = Partial<ClusterView> & {
  readonly at: number
  /** Names of nodes. */
  readonly gone?: readonly string[]
}

export type NodePatch = Partial<NodeDetail> & {
  readonly at: number
  /** Keys of pods. */
  readonly gone?: readonly string[]
}

export type PodPatch = Partial<PodDetail> & { readonly at: number }

export type EventsPatch = EventFeed
