/** Pods that begin to be throttled one after another, and how long each waits for a larger quota. */
import { setTimeout as sleep } from 'node:timers/promises'

import { quantile } from '../bench/statistics.ts'
import type { RealPod } from '../real/real-pods.ts'
import { patienceMillis } from '../until.ts'

const LOOK_MILLIS = 10

/**
 * Milliseconds from the first rise of nr_throttled to a larger quota in the cgroup, of each pod. They
 * start `apartMillis` apart. That one is never raised is an error, however late it would be raised.
 */
export async function tryAll(
  pods: readonly RealPod[],
  apartMillis: number,
): Promise<readonly number[]> {
  return Promise.all(
    pods.map(async (pod, i) => {
      await sleep(i * apartMillis)
      return tryOne(pod)
    }),
  )
}

async function tryOne(pod: RealPod): Promise<number> {
  const before = { throttled: pod.throttled(), quota: pod.kernel().container.quota }
  pod.signal('SIGUSR1')
  const isThrottled = () => pod.throttled() > before.throttled
  const began = await momentWhen(`${pod.name} to be throttled`, isThrottled)
  const isRaised = () => pod.kernel().container.quota > before.quota
  const raised = await momentWhen(`${pod.name} to be raised above ${before.quota}m`, isRaised)
  pod.signal('SIGUSR2') // who is done leaves the CPU to others
  return raised - began
}

/** As `until`, but looks often enough to measure by. */
async function momentWhen(what: string, holds: () => boolean): Promise<number> {
  const end = performance.now() + patienceMillis
  while (performance.now() < end) {
    if (holds()) return performance.now()
    await sleep(LOOK_MILLIS)
  }
  throw new Error(`waited ${patienceMillis / 1000} s for ${what}`)
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
