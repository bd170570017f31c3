/** What an agent tells of its node at `/state`: its last clearing, and every pod as it is now. */
import type { Rung } from '../core/guardrail/ladder.ts'
import type { Mode } from '../core/market/clear.ts'

export type NodeView = {
  readonly node: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Undefined until the first clearing. */
  readonly market?: MarketView
  /** In the order of namespace and name. */
  readonly pods: readonly PodView[]
}

/** Amounts of CPU are whole millicores. */
export type MarketView = {
  readonly at: number
  readonly mode: Mode
  readonly allocatable: number
  readonly reserve: number
  readonly held: number
  readonly capacity: number
  readonly sold: number
  /** Undefined where it is infinite or has no meaning. */
  readonly price?: number
}

export type PodView = {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** Of the last samples, smoothed. */
  readonly used: number
  readonly demand: number
  /** Promised and allowed, as its spec has it; no limit is undefined. */
  readonly request: number
  readonly limit?: number
  /** In force in the kernel now: the guardrail may have raised it above the limit. */
  readonly quota?: number
  /** Periods in which it ran out of quota, of those since the last sample, 0 to 1. */
  readonly throttledRatio: number
  readonly p99Millis?: number
  readonly targetMillis?: number
  /** Throttled or late, as the guardrail judges it now; never where the pod takes no part. */
  readonly isSuffering: boolean
  readonly rung: Rung
  /** Its bid and what it got; undefined for a pod that takes no part. */
  readonly bid?: BidView
  /** Why it got this much, or why it takes no part. */
  readonly reason: string
}

export type BidView = {
  readonly floor: number
  readonly need: number
  readonly ceiling: number
  readonly weight: number
  /** What it got in the last clearing, and what that costs an hour at its price. */
  readonly gets: number
  readonly paid?: number
}
