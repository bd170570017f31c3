import type { PodName } from '../core/pod-name.ts'

/** Who knows how long the requests of pods take: Prometheus, or an embedded one. */
export type LatencySource = {
  /** Whom is asked what, in words for an operator. */
  readonly where: string
  /** One question for all of them, by name: nothing that measures requests knows UIDs. Rejects, in bounded time, if no usable answer came. */
  readonly read: (pods: readonly PodName[], signal: AbortSignal) => Promise<LatencyAnswer>
  readonly close: () => void
}

export type LatencyAnswer = {
  /** By `keyOfPod`; a pod without requests is not in it. */
  readonly p99Millis: ReadonlyMap<string, number>
  /** Values that are no latency, or of no pod. */
  readonly unusable: number
}
