/** A pod as latency is told of it: by name, since nothing that measures requests knows UIDs. */
export type PodName = { readonly namespace: string; readonly name: string }

/** Who knows how long the requests of pods take: Prometheus, or an embedded one. */
export type LatencySource = {
  /** Whom is asked what, in words for an operator. */
  readonly where: string
  /** One question for all of them. Rejects, in bounded time, if no usable answer came. */
  readonly read: (pods: readonly PodName[], signal: AbortSignal) => Promise<LatencyAnswer>
  readonly close: () => void
}

export type LatencyAnswer = {
  /** By `keyOfPod`; a pod without requests is not in it. */
  readonly p99Millis: ReadonlyMap<string, number>
  /** Values that are no latency, or of no pod. */
  readonly unusable: number
}

export const keyOfPod = ({ namespace, name }: PodName): string => `${namespace}/${name}`
