/** What an agent tells of its node at `/state`: its last clearing, and every pod as it is now. */
import type { VerdictState } from '../core/guardrail/signals.ts'
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
  /** As its spec has it; no limit is undefined. */
  readonly request: number
  readonly limit?: number
  /** In force in the kernel now; above the limit where that is no share. */
  readonly quota?: number
  /** In force in the kernel now, in cpu.shares; undefined where it is not ours. */
  readonly shares?: number
  /** It used less than it is entitled to in the last moments, and goes first. */
  readonly isInLane?: boolean
  /** What it is held to, to protect others. */
  readonly heldTo?: number
  /** Of the time that it wanted to run, what it waited for a CPU, 0 to 1. */
  readonly waitedRatio: number
  /** Periods in which it ran out of quota, of those since the last sample, 0 to 1. */
  readonly throttledRatio: number
  readonly p99Millis?: number
  readonly targetMillis?: number
  /** It is late or waits, and never beside idle CPU; never where the pod takes no part. */
  readonly isSuffering: boolean
  readonly state: VerdictState
  /** Its bid and what it got; undefined for a pod that takes no part. */
  readonly bid?: BidView
  /** Why it got this much, or why it takes no part. */
  readonly reason: string
}

export type BidView = {
  readonly floor: number
  readonly need: number
  readonly ceiling: number
  /** Set by a person, as mbcas.io/max-cpu or in a LimitRange; undefined where nobody did. */
  readonly ceilingByHand?: number
  /** Its limit is its share, in force as a quota. */
  readonly isStrict?: boolean
  readonly weight: number
  /** What is its own, whatever other namespaces want. */
  readonly entitled: number
  /** Of the node while it is full, 0 to 1. */
  readonly shareRatio: number
  /** What it got in the last clearing, and what that costs an hour at its price. */
  readonly gets: number
  readonly paid?: number
}
