/** What the kernel says of one container's CPU; the counters run since the container started. */
export type CpuCounters = {
  /** CPU time used, over all CPUs. */
  readonly usageMicros: number
  /** Enforcement periods in which the container wanted to run. */
  readonly periods: number
  readonly throttledPeriods: number
  /** Time spent waiting for quota; every CPU that waits adds its own. */
  readonly throttledMicros: number
  /** CPU time allowed a period; null is no limit. */
  readonly quotaMicros: number | null
  readonly periodMicros: number
  /** Periods in which it ran above its quota on what it had saved; not told before Linux 5.14. */
  readonly burstPeriods?: number | undefined
  /** CPU time above the quota, in those periods. */
  readonly burstMicros?: number | undefined
  /** How much it may save up; not told before Linux 5.14. */
  readonly burstLimitMicros?: number | undefined
  /** cpu.shares on cgroup v1 (from 2), cpu.weight on v2 (from 1): the two do not compare. */
  readonly weight: number
}

export type CpuReading = CpuCounters & {
  /** When it was read, by a clock that never steps. */
  readonly atMicros: number
}
