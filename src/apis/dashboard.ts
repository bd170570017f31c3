/**
 * What the dashboard's server tells the page: JSON at `/api/...`, and the same views live as
 * server-sent events at `/api/live/...`. Types only: the page is built from them too.
 *
 * Amounts of CPU are whole millicores, times are milliseconds since 1970. In a live view the first
 * event is `view`, the whole; after it come `patch` events, each a part of the same shape, a second
 * apart at most when something changed, and `beat` events when nothing did. What is left out of a
 * patch stands. Lists in patches hold only what changed, by key, and `gone` names what went.
 */
import type { ArmResult, WorkloadResult } from '../core/comparison/arm-result.ts'
import type { VerdictState } from '../core/guardrail/signals.ts'
import type { Mode } from '../core/market/clear.ts'
import type { BidView } from './node-view.ts'
import type { Mode as OperatingMode } from './owner-words.ts'

/** `/api/about`: what the page needs before all else. */
export type About = {
  readonly cluster: string
  readonly version: string
  /** Where a scenario runs: its name, how fast time goes, and whether there is a comparison. */
  readonly scenario?: {
    readonly name: string
    readonly about: string
    readonly speed: number | 'max'
    readonly phases: readonly { readonly name: string; readonly at: number }[]
  }
  /** What holds in the whole cluster; undefined until it is read. */
  readonly settings?: {
    readonly mode: OperatingMode
    readonly excludedNamespaces: readonly string[]
    /** A sentence for the operator; undefined where all is as usual. */
    readonly note?: string
  }
  /** Milliseconds from sample to sample of the histories. */
  readonly everyMillis: number
}

/** `/api/cluster` and `/api/live/cluster`. */
export type ClusterView = {
  readonly at: number
  readonly totals: Totals
  /** Of the cluster, over time. */
  readonly history: ClusterHistory
  readonly nodes: readonly NodeTile[]
  /** The newest first, at most 20: who began to suffer, stopped, or was held back. */
  readonly sufferedLately: readonly Happening[]
  /** The pods that suffer most, at most 20. */
  readonly suffering: readonly PodRow[]
  /** What the server could not learn, with the remedy; empty when all is well. */
  readonly troubles: readonly string[]
}

export type Totals = {
  readonly nodes: number
  readonly pods: number
  readonly managedPods: number
  readonly sufferingPods: number
  readonly allocatable: number
  readonly capacity: number
  readonly sold: number
  readonly promised: number
  readonly used: number
  /** The highest of the nodes; undefined where none is short. */
  readonly price?: number
}

/** Columns of equal length. */
export type ClusterHistory = {
  readonly at: readonly number[]
  readonly capacity: readonly number[]
  readonly promised: readonly number[]
  readonly sold: readonly number[]
  readonly used: readonly number[]
  readonly price: readonly (number | null)[]
  readonly suffering: readonly number[]
}

export type NodeTile = {
  readonly name: string
  /** `unknown`: no market is known of it, as when no agent runs there. */
  readonly mode: Mode | 'unknown'
  readonly allocatable: number
  readonly capacity: number
  readonly sold: number
  readonly used: number
  readonly price?: number
  readonly pods: number
  readonly suffering: number
  /** When its market was last cleared; old is trouble. */
  readonly clearedAt?: number
  /** Why nothing better is known, such as that its agent does not answer. */
  readonly trouble?: string
  /** Since when its agent has given no sign of life, by its Lease; undefined while it does. */
  readonly silentSince?: number
}

/** `/api/node/NAME` and `/api/live/node/NAME`; `?from=&to=` bound the history. */
export type NodeDetail = {
  readonly at: number
  readonly tile: NodeTile
  readonly reserve: number
  readonly held: number
  readonly pods: readonly PodRow[]
  readonly history: NodeHistory
}

export type NodeHistory = {
  readonly at: readonly number[]
  readonly price: readonly (number | null)[]
  readonly mode: readonly (Mode | null)[]
  readonly capacity: readonly number[]
  /** In a stable order. */
  readonly pods: readonly PodBand[]
}

export type PodBand = {
  readonly key: string
  /** What the market gave it, or its request where it takes no part. Null where it was not there. */
  readonly held: readonly (number | null)[]
  readonly used: readonly (number | null)[]
}

export type PodRow = {
  /** `namespace/name`. */
  readonly key: string
  readonly node: string
  readonly used: number
  readonly demand: number
  readonly need?: number
  readonly floor?: number
  readonly request: number
  /** As its spec has it; a ceiling only where nobody manages it, a share only where it is strict. */
  readonly limit?: number
  /** What it may use at most, beside idle CPU too; undefined where nothing holds it. */
  readonly ceiling?: number
  readonly throttledRatio: number
  readonly p99Millis?: number
  readonly targetMillis?: number
  readonly state: VerdictState
  /** Of the time that it wanted to run, what it waited for a CPU. */
  readonly waitedRatio: number
  /** In force in the kernel, in cpu.shares. */
  readonly shares?: number
  /** What it is held to, to protect others. */
  readonly heldTo?: number
  readonly isInLane?: boolean
  /** What is its own, whatever other namespaces want. */
  readonly entitled?: number
  /** Of its node while that is full. */
  readonly shareRatio?: number
  /** What it got in the last clearing. */
  readonly gets?: number
  /** Its limit is its share. */
  readonly isStrict?: boolean
  /** What its share costs at the node's price; undefined for pods that take no part. */
  readonly paid?: number
  readonly isManaged: boolean
  /** As its agent says: late, or waiting for a CPU. Where no agent answers, nobody is known to be. */
  readonly isSuffering: boolean
  readonly reason: string
}

/** `/api/pod/NAMESPACE/NAME` and `/api/live/pod/NAMESPACE/NAME`; `?from=&to=` bound the history. */
export type PodDetail = {
  readonly at: number
  readonly row: PodRow
  readonly bid?: BidView
  readonly original?: { readonly request?: number; readonly limit?: number }
  /** Of its PodAllocation: phase, reason word, message. */
  readonly state?: { readonly phase: string; readonly reason: string; readonly message: string }
  readonly restarts: number
  readonly history: PodHistory
  /** The newest first. */
  readonly decisions: readonly PodDecision[]
}

export type PodHistory = {
  readonly at: readonly number[]
  readonly demand: readonly (number | null)[]
  readonly gets: readonly (number | null)[]
  readonly entitled: readonly (number | null)[]
  readonly request: readonly (number | null)[]
  /** What it might use at most: its ceiling, or what it was held to, to protect others. */
  readonly ceiling: readonly (number | null)[]
  readonly used: readonly (number | null)[]
  readonly waitedRatio: readonly (number | null)[]
  readonly throttledRatio: readonly (number | null)[]
  readonly p99Millis: readonly (number | null)[]
}

export type PodDecision = {
  readonly at: number
  readonly request: number
  readonly limit?: number
  readonly urgency: 'normal' | 'guardrail'
  readonly mode?: Mode
  readonly price?: number
  readonly reason: string
}

/** `/api/events` and `/api/live/events`, the newest first. */
export type EventFeed = { readonly at: number; readonly events: readonly Happening[] }

export type Happening = {
  /** Unique, and the same after a reconnect. */
  readonly id: string
  readonly at: number
  readonly kind: 'decision' | 'suffering' | 'resize' | 'warning' | 'node' | 'kubernetes'
  /** A sentence. */
  readonly text: string
  readonly node?: string
  /** `namespace/name`. */
  readonly pod?: string
}

/** `/api/search?q=`: at most 50, the best first. */
export type Found = {
  readonly nodes: readonly string[]
  readonly pods: readonly { readonly key: string; readonly node: string }[]
  /** How many more there are. */
  readonly left: number
}

export type { ArmResult, WorkloadResult }

/** `/api/comparison`: 404 where no scenario is compared; else as `mbcas simulate -o json`. */
export type ComparisonView = {
  readonly scenario: string
  /** 0 to 1; undefined once it is worked out. */
  readonly progress?: number
  readonly arms: readonly ArmResult[]
  /** What the table says, in words. */
  readonly verdicts: readonly string[]
}
