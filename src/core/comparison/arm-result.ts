/** What a comparison says of one arm: one way of giving out CPU, over the whole of a scenario. */
export type ArmResult = {
  readonly name: string
  /** Of the windows of all pods with a target, those in which it was missed, 0 to 1. */
  readonly sloViolationRatio: number
  /** Over all answers of workloads with a target. */
  readonly p99Millis?: number
  readonly throttledRatio: number
  /** Means over time, in cores: by the requests that owners wrote, and by those of the moment. */
  readonly writtenCores: number
  readonly promisedCores: number
  /** Quotas together; where limits are no shares, they say little. */
  readonly allowedCores: number
  readonly usedCores: number
  readonly demandedCores: number
  /** Of what pods wanted within their requests as written, what they had, 0 to 1. */
  readonly keptRatio?: number
  /** Pods that no node had room for, mean over time. */
  readonly pendingPods: number
  readonly changes: number
  /** Of used over demanded, 0 to 1. */
  readonly jain: number
  readonly restarts: number
  readonly workloads: readonly WorkloadResult[]
  /** For the plots. */
  readonly history: ArmHistory
}

export type WorkloadResult = {
  readonly name: string
  readonly sloViolationRatio?: number
  readonly p99Millis?: number
  readonly targetMillis?: number
  readonly throttledRatio: number
  /** By the requests that its owner wrote. */
  readonly writtenCores: number
  readonly promisedCores: number
  readonly allowedCores: number
  readonly usedCores: number
  readonly demandedCores: number
}

/** Columns of equal length. */
export type ArmHistory = {
  /** Milliseconds since 1970, at which each stretch begins. */
  readonly at: readonly number[]
  readonly promised: readonly number[]
  readonly allowed: readonly number[]
  readonly used: readonly number[]
  /** Pods that missed their target. */
  readonly violating: readonly number[]
}
