/** How the requests of one container went, from its start on. */
import { latencyBucketCount, latencyBucketOf } from '../../core/comparison/latency-histogram.ts'
import type { LatencyCounters } from './kernel.ts'

/** Prometheus' default buckets, in milliseconds. */
export const latencyBuckets = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, Infinity]

export type Answers = {
  readonly count: (tookMicros: number, arrivedMicros: number) => void
  readonly refuse: () => void
  readonly counters: () => LatencyCounters
}

export function createAnswers(targetMillis: number | undefined): Answers {
  const counts = latencyBuckets.map(() => 0)
  const targetMicros = targetMillis === undefined ? Infinity : targetMillis * 1000
  let fine: Float64Array | undefined // most containers serve nothing
  let answered = 0
  let refused = 0
  let late = 0
  return {
    count(tookMicros) {
      answered += 1
      if (tookMicros > targetMicros) late += 1
      const coarse = latencyBuckets.findIndex((upTo) => tookMicros <= upTo * 1000)
      counts[coarse] = (counts[coarse] ?? 0) + 1
      fine ??= new Float64Array(latencyBucketCount)
      const bucket = latencyBucketOf(tookMicros)
      fine[bucket] = (fine[bucket] ?? 0) + 1
    },
    refuse() {
      refused += 1
    },
    counters() {
      let sum = 0
      const buckets = latencyBuckets.map((upToMillis, i) => {
        sum += counts[i] ?? 0
        return { upToMillis, count: sum }
      })
      const overdue = targetMillis === undefined ? {} : { late: late + refused }
      return { requests: answered, refused, ...overdue, fine: fine ?? [], buckets }
    },
  }
}
