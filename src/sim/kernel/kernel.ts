/** What a simulated kubelet and whoever senses a node need of the model of one node's kernel. */
import type { CpuReading } from '../../core/demand/reading.ts'
import type { Load } from './load.ts'

export type CpuSettings = {
  /** cpu.shares, from 2. */
  readonly shares: number
  /** Null is no limit. */
  readonly quotaMicros: number | null
  readonly periodMicros: number
  readonly burstMicros: number
}

export type NewContainer = {
  readonly id: string
  readonly podUid: string
  readonly cpu: CpuSettings
  readonly load: Load
  /** Called at the simulated moment at which a load that has an end (batch) is done. */
  readonly onDone?: () => void
}

/** How long requests took, since the container started; only request/response loads have it. */
export type LatencyCounters = {
  readonly requests: number
  /** Turned away because too many waited. */
  readonly refused?: number
  /** Answered within `upToMillis`; cumulative, ascending, the last is Infinity. */
  readonly buckets: readonly { readonly upToMillis: number; readonly count: number }[]
}

export type NodeKernel = {
  readonly add: (container: NewContainer) => void
  /** Takes effect at once; counters go on. */
  readonly set: (id: string, cpu: CpuSettings) => void
  readonly remove: (id: string) => void
  /** As of now. Undefined when there is no such container. */
  readonly read: (
    id: string,
  ) => (CpuReading & { readonly burstPeriods: number; readonly burstMicros: number }) | undefined
  readonly latency: (id: string) => LatencyCounters | undefined
  /** Cores in use over the last moments, for node usage. */
  readonly usedMicros: () => number
}
