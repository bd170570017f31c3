/**
 * Who knows how long the requests to the pods of a simulated node take, as a Prometheus that scrapes
 * them would: p99 over the last seconds. What was counted is kept every other second, so that a
 * window costs six copies of a container's histogram, and a question one pass over it.
 */
import { latencyQuantile } from '../core/comparison/latency-histogram.ts'
import { keyOfPod, type PodName } from '../core/pod-name.ts'
import type { LatencySource } from '../ports/latency.ts'
import type { Agenda } from './agenda.ts'
import type { Api } from './apiserver/api.ts'
import type { NodeKernel } from './kernel/kernel.ts'
import type { SimPod } from './nodes/pod.ts'
import { pods as podType } from './resources.ts'

/** Short enough to show what a raise did before the next one is due, long enough for some requests. */
const windowMillis = 10_000
const scrapeMillis = 2000

type Scrape = { readonly at: number; readonly requests: number; readonly counts: Float64Array }

export function readSimulatedLatencies({
  api,
  agenda,
  kernel,
}: {
  readonly api: Pick<Api, 'find'>
  readonly agenda: Pick<Agenda, 'now'>
  readonly kernel: Pick<NodeKernel, 'latency'>
}): LatencySource {
  /** By container, of those that were asked about last: the oldest first, which is before the window. */
  let scrapes = new Map<string, readonly Scrape[]>()

  const scrape = (id: string): readonly Scrape[] => {
    const counters = kernel.latency(id)
    if (counters === undefined) return []
    const now = agenda.now()
    const all = scrapes.get(id) ?? []
    const isDue = (all.at(-1)?.at ?? -Infinity) <= now - scrapeMillis
    const { requests, fine } = counters
    const latest = isDue ? [{ at: now, requests, counts: Float64Array.from(fine) }] : []
    const start = all.findLastIndex(({ at }) => at <= now - windowMillis)
    return [...all.slice(Math.max(0, start)), ...latest]
  }

  /** Answers by bucket since the window began; undefined if there were none. */
  const recentOf = (id: string, first: Scrape | undefined): Float64Array | undefined => {
    const counters = kernel.latency(id)
    if (counters === undefined || counters.requests === first?.requests) return undefined
    return Float64Array.from(counters.fine, (count, i) => count - (first?.counts[i] ?? 0))
  }

  return {
    where: 'the simulated kernel',
    read: async (pods) => {
      const next: typeof scrapes = new Map()
      const p99Millis = new Map<string, number>()
      for (const pod of pods) {
        let sum: Float64Array | undefined
        for (const id of containersOf(api, pod)) {
          const kept = scrape(id)
          next.set(id, kept)
          const recent = recentOf(id, kept[0])
          sum = sum === undefined ? recent : sum.map((count, i) => count + (recent?.[i] ?? 0))
        }
        const p99 = sum && latencyQuantile(sum, 0.99)
        if (p99 !== undefined) p99Millis.set(keyOfPod(pod), p99)
      }
      scrapes = next
      return { p99Millis, unusable: 0 }
    },
    close: () => scrapes.clear(),
  }
}

/** IDs as the kernel knows them. */
function containersOf(api: Pick<Api, 'find'>, name: PodName): string[] {
  const pod = api.find(podType, name) as SimPod | undefined
  const statuses = pod?.status?.containerStatuses ?? []
  return statuses.map(({ containerID = '' }) => containerID.replace(/^.*:\/\//, ''))
}
