/** Pods that begin to be throttled one after another, and how long each waits for a larger quota. */
import { setTimeout as sleep } from 'node:timers/promises'

import { quantile } from '../bench/statistics.ts'
import type { RealPod } from '../real/real-pods.ts'

const LOOK_MILLIS = 10

type Pace = {
  /** From the start of one to that of the next. */
  readonly apartMillis: number
  readonly timeoutMillis: number
}

/** Milliseconds from the first rise of nr_throttled to a larger quota in the cgroup, of each pod. */
export async function tryAll(
  pods: readonly RealPod[],
  { apartMillis, timeoutMillis }: Pace,
): Promise<readonly number[]> {
  return Promise.all(
    pods.map(async (pod, i) => {
      await sleep(i * apartMillis)
      return tryOne(pod, timeoutMillis)
    }),
  )
}

async function tryOne(pod: RealPod, timeoutMillis: number): Promise<number> {
  const before = { throttled: pod.throttled(), quota: pod.kernel().container.quota }
  pod.signal('SIGUSR1')
  const began = await momentWhen(() => pod.throttled() > before.throttled, timeoutMillis)
  const isRaised = () => pod.kernel().container.quota > before.quota
  const raised = await momentWhen(isRaised, timeoutMillis)
  pod.signal('SIGUSR2') // who is done leaves the CPU to others
  return raised - began
}

/** Infinity when it is never so. */
async function momentWhen(holds: () => boolean, timeoutMillis: number): Promise<number> {
  const end = performance.now() + timeoutMillis
  while (performance.now() < end) {
    if (holds()) return performance.now()
    await sleep(LOOK_MILLIS)
  }
  return Infinity
}

/** `median 210 ms, p95 380 ms` */
export function summaryOf(millis: readonly number[]): {
  readonly p95: number
  readonly words: string
} {
  const ascending = millis.toSorted((a, b) => a - b)
  const [median = NaN, p95 = NaN] = [0.5, 0.95].map((ratio) => quantile(ascending, ratio))
  return { p95, words: `median ${Math.round(median)} ms, p95 ${Math.round(p95)} ms` }
}
